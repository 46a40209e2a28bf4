import test from 'ava';
import { readBulk, bulkAction } from '../../../../src/indexing/file-import/records/read-ndjson.ts';
import type { SourceRecord } from '../../../../src/indexing/file-import/records/source-record.ts';
import { chunksOf, collect } from '../collect.ts';

const read = (...lines: readonly unknown[]): Promise<SourceRecord[]> =>
  collect(
    readBulk(
      chunksOf(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')),
      1_000,
    ),
  );

test('index and create take the next line, delete stands alone and is refused', async (t) => {
  const records = await read(
    { index: { _id: 'a', _index: 'elsewhere' } },
    { n: 1 },
    { create: { _id: 7 } },
    { n: 2 },
    { delete: { _id: 'b' } },
    { index: {} },
    { n: 3 },
  );
  t.like(records[0], { kind: 'document', line: 2, id: 'a', document: { n: 1 } });
  t.like(records[1], { kind: 'document', line: 4, id: '7', document: { n: 2 } });
  t.like(records[2], {
    kind: 'bad',
    line: 5,
    reason: 'delete actions are not loaded: tributary index remove deletes documents',
  });
  t.like(records[3], { kind: 'document', line: 7, id: null, document: { n: 3 } });
});

test('updates are refused, with their line', async (t) => {
  const records = await read({ update: { _id: 'a' } }, { doc: { n: 1 } }, { index: { _id: 'b' } }, { n: 2 });
  t.like(records[0], { kind: 'bad', line: 2 });
  t.like(records[1], { kind: 'document', id: 'b' });
});

test('after a line that is not an action, reading finds the next action', async (t) => {
  const records = await read('{"index":', { n: 1 }, { index: { _id: 'b' } }, { n: 2 });
  t.deepEqual(
    records.map((record) => [record.kind, record.line]),
    [
      ['bad', 1],
      ['bad', 2],
      ['document', 4],
    ],
  );
});

test('a document that is not JSON is bad and does not shift the next pair', async (t) => {
  const records = await read({ index: { _id: 'a' } }, '{oops', { index: { _id: 'b' } }, { n: 2 });
  t.like(records[0], { kind: 'bad', line: 2 });
  t.like(records[1], { kind: 'document', id: 'b', document: { n: 2 } });
});

test('a last action without its document is a bad line', async (t) => {
  t.deepEqual(await read({ index: { _id: 'a' } }, { n: 1 }, { index: { _id: 'b' } }), [
    { kind: 'document', line: 2, id: 'a', document: { n: 1 }, rounded: null, bytes: 7 },
    { kind: 'bad', line: 3, reason: 'the file ends after this action, without its document', text: '' },
  ]);
});

test('an action is one known verb with metadata only', (t) => {
  t.deepEqual(bulkAction({ index: { _id: 5, routing: 'r' } }), { verb: 'index', id: '5' });
  t.deepEqual(bulkAction({ create: {} }), { verb: 'index', id: null });
  t.is(bulkAction({ index: { title: 'x' } }), null);
  t.is(bulkAction({ index: {}, delete: {} }), null);
  t.is(bulkAction({ upsert: {} }), null);
  t.is(bulkAction({ index: 'x' }), null);
  t.is(bulkAction({}), null);
});
