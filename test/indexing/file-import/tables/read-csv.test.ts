import test from 'ava';
import { readCsv } from '../../../../src/indexing/file-import/tables/read-csv.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { chunksOf, collect } from '../collect.ts';

const documents = async (text: string, properties: JsonObject | null = null): Promise<unknown[]> =>
  (await collect(readCsv(chunksOf(text), 1_000, properties))).map((record) =>
    record.kind === 'document' ? record.document : record,
  );

test('cells are typed by their column, empty ones are absent, dots make objects', async (t) => {
  t.deepEqual(await documents('\uFEFFname,donor.age,donor.alive,code\n"Ann, B.",31,true,007\nBo,,false,\n'), [
    { name: 'Ann, B.', donor: { age: 31, alive: true }, code: '007' },
    { name: 'Bo', donor: { alive: false } },
  ]);
});

test('the mapping decides over the look of the cells', async (t) => {
  const properties = { code: { type: 'keyword' }, size: { type: 'long' } };
  t.deepEqual(await documents('code,size\n12,n/a\n13,5\n', properties), [
    { code: '12', size: 'n/a' },
    { code: '13', size: 5 },
  ]);
});

for (const [name, delimiter] of [
  ['semicolons', ';'],
  ['tabs', '\t'],
] as const)
  test(`${name} are recognised from the header`, async (t) => {
    t.deepEqual(await documents(`a${delimiter}b\n1,5${delimiter}x\n`), [{ a: '1,5', b: 'x' }]);
  });

test('rows with too many cells and broken quotes are bad, with their lines, and rows with too few are filled', async (t) => {
  const records = await collect(readCsv(chunksOf('a,b\n1,2\n3\n4,5,6\n7,"8"8\n9,10\n'), 1_000, null));
  const seen = records
    .map((record) => [record.line, record.kind === 'document' ? record.document : record.kind] as const)
    .sort(([one], [other]) => one - other);
  t.deepEqual(seen, [
    [2, { a: 1, b: 2 }],
    [3, { a: 3 }],
    [4, 'bad'],
    [5, 'bad'],
    [6, { a: 9, b: 10 }],
  ]);
});

test('after the sampled rows a cell that does not fit its column stays text', async (t) => {
  const rows = Array.from({ length: 10_200 }, (_, row) => String(row)).join('\n');
  const read = await documents(`n\n${rows}\nmany\n`);
  t.is(read.length, 10_201);
  t.deepEqual([read[0], read[10_199], read[10_200]], [{ n: 0 }, { n: 10_199 }, { n: 'many' }]);
});

for (const [what, text, message] of [
  [
    'a quote that is never closed',
    `a,b\n1,"2\n${'3,4\n'.repeat(400)}`,
    /^the row that begins in line 2 is too long: a quote in it may not be closed/,
  ],
] as const)
  test(`${what} is an error`, async (t) => {
    const error = await t.throwsAsync(documents(text));
    t.regex(error?.message ?? '', message);
  });

test('text in another encoding is an error', async (t) => {
  const latin = Buffer.from('name\nZo\xeb\n', 'latin1');
  const error = await t.throwsAsync(collect(readCsv(chunksOf(latin, 100), 1_000, null)));
  t.regex(error?.message ?? '', /not UTF-8/);
});
