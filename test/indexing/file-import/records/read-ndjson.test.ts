import test from 'ava';
import { readNdjson } from '../../../../src/indexing/file-import/records/read-ndjson.ts';
import { chunksOf, collect } from '../collect.ts';

test('documents and bad lines come with their line numbers, and reading goes on', async (t) => {
  const text = '\uFEFF{"id":1}\n\n[1]\n{"id":\n{"name":"Zoë"}\n';
  const records = await collect(readNdjson(chunksOf(text, 5), 1_000));
  t.deepEqual(
    records.map((record) => [record.line, record.kind === 'document' ? record.document : record.kind]),
    [
      [1, { id: 1 }],
      [3, 'bad'],
      [4, 'bad'],
      [5, { name: 'Zoë' }],
    ],
  );
  t.like(records[1], { reason: 'not a JSON object', text: '[1]' });
  t.regex(records[2]?.kind === 'bad' ? records[2].reason : '', /^not JSON: /);
});

test('text in another encoding is an error that names the option, as in CSV', async (t) => {
  const latin = Buffer.from('{"id":"1","name":"Jos\xe9"}\n{"id":"2","name":"ok"}\n', 'latin1');
  await t.throwsAsync(collect(readNdjson(chunksOf(latin), 1_000)), {
    code: 'INPUT_INVALID',
    message: /not UTF-8.*--encoding windows-1252, in which this place reads ".*"name":"José"\}"$/,
  });
});

test('a line longer than the limit is bad, with the limit in its reason', async (t) => {
  const records = await collect(readNdjson(chunksOf(`{"a":"${'x'.repeat(100)}"}\n{"b":1}`), 50));
  t.like(records[0], { kind: 'bad', line: 1, reason: 'longer than 50 bytes' });
  t.like(records[1], { kind: 'document', line: 2, document: { b: 1 } });
});

test('digits past 2^53 are kept, with the rounded document beside', async (t) => {
  const [record] = await collect(readNdjson(chunksOf('{"n":9007199254740993}'), 1_000));
  t.like(record, { document: { n: '9007199254740993' }, rounded: { n: 9007199254740992 } });
});
