import test from 'ava';
import {
  bulkLines,
  compactLine,
  detailLines,
  listLines,
  sizeOf,
} from '../../../src/cli/index/index-command.ts';
import type { IndexSummary } from '../../../src/engines/embedded/threads/data-folder.ts';
import { collect } from '../../indexing/file-import/collect.ts';

const summary: IndexSummary = {
  name: 'films',
  aliases: ['movies', 'pictures'],
  documents: 1_234_567,
  documentBytes: 98_765_432,
  snapshotBytes: 4_200,
  snapshotAt: 1_000_000,
  mapping: {
    dynamic: false,
    properties: { a: { properties: { b: { type: 'text', fields: { raw: { type: 'keyword' } } } } } },
  },
};

test('a table of indexes', (t) => {
  t.deepEqual(
    listLines([summary, { ...summary, name: 'x', aliases: [], snapshotAt: null }], 1_000_000 + 7_200_000),
    [
      'index  documents  on disk  snapshot  written      aliases',
      'films  1 234 567  99 MB    4.2 KB    2 hours ago  movies, pictures',
      'x      1 234 567  99 MB    4.2 KB    never',
    ],
  );
  t.deepEqual(listLines([], 0), ['no indexes: load documents first']);
});

test('one index and its fields', (t) => {
  const lines = detailLines(summary, 1_000_000 + 86_400_000);
  t.true(lines.includes('snapshot   4.2 KB, 1 day ago'));
  t.deepEqual(lines.slice(-4), ['fields', '  a        object', '  a.b      text', '  a.b.raw  keyword']);
});

test('a compacted index is never reported as larger, not with its first snapshot either', (t) => {
  const before = { ...summary, snapshotBytes: 0 };
  t.is(
    compactLine(before, { ...summary, documentBytes: 98_000_000, snapshotBytes: 50_000_000 }),
    'films: 99 MB before, 98 MB now; the new snapshot takes 50 MB',
  );
  for (const documentBytes of [
    summary.documentBytes,
    summary.documentBytes - 1,
    summary.documentBytes + 4_096,
  ])
    t.is(
      compactLine(before, { ...summary, documentBytes }),
      'films: nothing to give back of 99 MB; the new snapshot takes 4.2 KB',
    );
});

test('sizes', (t) => {
  t.deepEqual([0, 999, 1_000, 9_950_000, 12_345_678, 5e15].map(sizeOf), [
    '0 B',
    '999 B',
    '1.0 KB',
    '9.9 MB',
    '12 MB',
    '5000 TB',
  ]);
});

test('action lines come in pieces of whole documents', async (t) => {
  const documents = Array.from({ length: 3_000 }, (_, i) => ({
    id: `"${i}`,
    src: `{"n":${i},"filler":"${'x'.repeat(60)}"}`,
  }));
  const pieces = await collect(bulkLines(documents));
  t.true(pieces.length > 1 && pieces.every((piece) => piece.endsWith('}\n')));
  const lines = pieces.join('').trimEnd().split('\n');
  t.is(lines.length, 6_000);
  t.deepEqual(JSON.parse(lines[5_998]!), { index: { _id: '"2999' } });
  t.is(lines[5_999], documents[2_999]!.src);
});
