import test from 'ava';
import type { ReadingOptions } from '../../../../src/indexing/file-import/records/source-record.ts';
import { plainReading } from '../../../../src/indexing/file-import/records/source-record.ts';
import { findQuoting } from '../../../../src/indexing/file-import/tables/quoting.ts';
import { readCsv } from '../../../../src/indexing/file-import/tables/read-csv.ts';
import { chunksOf, collect } from '../collect.ts';

const read = async (text: string, reading: Partial<ReadingOptions> = {}, size = 7) => {
  const notices: string[] = [];
  const options = { ...plainReading, onNotice: (notice: string) => void notices.push(notice), ...reading };
  const records = await collect(readCsv(chunksOf(text, size), 100_000, null, options));
  return {
    notices,
    rows: records.map((one) => (one.kind === 'document' ? Object.values(one.document) : one)),
  };
};

const titles = 'id\ttitle\tyear\n1\t"Untitled\t1950\n2\t12"\t1960\n3\tBed\t1970\n';
const asWritten = [
  [1, '"Untitled', 1950],
  [2, '12"', 1960],
  [3, 'Bed', 1970],
];

for (const size of [1, 7, 1_000])
  test(`quotes that belong to titles between tabs are text, in chunks of ${String(size)}`, async (t) => {
    const { notices, rows } = await read(titles, {}, size);
    t.deepEqual(rows, asWritten);
    t.deepEqual(notices, [
      `quotes are read as text, since those in line 2 do not enclose a cell (--quote '"' reads them as the edges of cells)`,
    ]);
  });

test('quotes are text where the caller says so, with any delimiter', async (t) => {
  t.deepEqual((await read(titles, { quotes: false })).rows, asWritten);
  t.deepEqual((await read(titles.replaceAll('\t', ','), { quotes: false })).rows, asWritten);
});

for (const [what, text, rows] of [
  ['all cells quoted', '"a"\t"b"\n"1"\t"x"\n', [[1, 'x']]],
  ['doubled inside', 'a\tb\n1\t"say ""x"""\n', [[1, 'say "x"']]],
  ['a tab inside', 'a\tb\n1\t"x\ty"\n', [[1, 'x\ty']]],
  [
    'a line end inside',
    'a\tb\tc\n1\t"x\ny"\t2\n3\tz\t4\n',
    [
      [1, 'x\ny', 2],
      [3, 'z', 4],
    ],
  ],
] as const)
  test(`quotes between tabs enclose cells: ${what}`, async (t) => {
    const found = await read(text);
    t.deepEqual(found.rows, rows as unknown);
    t.deepEqual(found.notices, [
      'quotes around cells are not part of their values (--quote none keeps them)',
    ]);
  });

test('quotes that match across two cells of a full row are text', (t) => {
  t.deepEqual(findQuoting(['1\t"a\tb"\t2'], '\t', 4), { quoted: false, misfit: 0 });
  t.deepEqual(findQuoting(['1\t"a\tb"\t2'], '\t', 3), { quoted: true, misfit: null });
});

test('one quote that does not fit among cells that need theirs does not decide', (t) => {
  t.true(findQuoting(['1\t"say ""x"""', '2\t12"'], '\t', 2).quoted);
});

test('a tab-separated file whose later quotes swallow rows stops with the line', async (t) => {
  const quoted = `a\tb\n${'1\t"x"\n'.repeat(20_000)}`;
  await t.throwsAsync(read(`${quoted}2\t"Untitled\n3\t12"\n`, {}, 80_000), {
    message: /^a quote in line 20002 takes 1 more line into its row: close it, or load with --quote none/,
  });
});

const lines = (count: number): string => `a,b\n1,x\n\n2,"y${'\nz'.repeat(count)}"\n3,w\n`;

test('a row over more than 20 line ends is an error with its first line, unless the caller says that quotes enclose', async (t) => {
  t.is((await read(lines(20))).rows.length, 3);
  await t.throwsAsync(read(lines(21)), {
    code: 'INPUT_INVALID',
    message: `a quote in line 4 takes 21 more lines into its row: close it, or load with --quote none, which reads quotes as text, or --quote '"' if the row is as long as that`,
  });
  t.is((await read(lines(21), { quotes: true })).rows.length, 3);
});

for (const quotes of [undefined, true])
  test(`a quote that never closes is an error with its line, quotes ${String(quotes)}`, async (t) => {
    await t.throwsAsync(read('a,b\n"1",x\n\n2,"y\n3,z\n', { quotes }), {
      message:
        'a quote in line 4 is never closed: close it, or load with --quote none, which reads quotes as text',
    });
  });
