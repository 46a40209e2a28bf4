import test from 'ava';
import fc, { runs } from '../../../fast-check.ts';
import { readJsonArray } from '../../../../src/indexing/file-import/records/read-json-array.ts';
import { chunksOf, collect } from '../collect.ts';

test('elements come out as JSON.parse would have them, wherever the chunks are cut', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))),
      fc.integer({ min: 1, max: 20 }),
      async (documents, size) => {
        const text = JSON.stringify(documents, null, 1);
        const records = await collect(readJsonArray(chunksOf(text, size), 100_000));
        const read = records.map((record) =>
          record.kind === 'document' ? (record.rounded ?? record.document) : record,
        );
        t.deepEqual(read, JSON.parse(text));
      },
    ),
    { numRuns: runs(60) },
  );
});

test('an element that is not an object is bad, with its number', async (t) => {
  const records = await collect(readJsonArray(chunksOf('[{"a":1}, 5, {"b":2}]'), 1_000));
  t.deepEqual(
    records.map((record) => [record.kind, record.line]),
    [
      ['document', 1],
      ['bad', 2],
      ['document', 3],
    ],
  );
});

test('digits past 2^53 are kept, with the rounded document beside', async (t) => {
  const [record] = await collect(readJsonArray(chunksOf('[{"n":[9007199254740993],"s":"x"}]', 3), 1_000));
  t.like(record, {
    document: { n: ['9007199254740993'], s: 'x' },
    rounded: { n: [9007199254740992], s: 'x' },
  });
});

for (const [what, text, message] of [
  ['text that stops being JSON', '[{"a":1},{"a":}]', /not JSON, after element 1 of the array/],
  ['text that ends inside', '[{"a":1},{"a"', /ends inside the array, after element 1/],
  ['something other than an array', '{"a":1}', /not an array of objects/],
  ['an element over the limit', `[{"a":"${'x'.repeat(300)}"}]`, /longer than 100 bytes/],
] as const)
  test(`${what} is an error with its place`, async (t) => {
    const error = await t.throwsAsync(collect(readJsonArray(chunksOf(text), 100)));
    t.regex(error?.message ?? '', message);
  });

test('elements in front of an error are read, however long the chunks are', async (t) => {
  const records = readJsonArray(chunksOf('[{"a":{"b":1}},\n{"a":"}"},\n]', 1_000), 1_000);
  for (const a of [{ b: 1 }, '}']) t.like((await records.next()).value, { document: { a } });
  await t.throwsAsync(records.next(), { message: /not JSON, after element 2 of the array/ });
});

test('an empty array holds nothing', async (t) => {
  t.deepEqual(await collect(readJsonArray(chunksOf(' [ ] '), 100)), []);
});
