import test from 'ava';
import fc, { runs } from '../../../fast-check.ts';
import { readCsv } from '../../../../src/indexing/file-import/tables/read-csv.ts';
import { chunksOf, collect } from '../collect.ts';

const cell = fc.constantFrom('', 'x', ' y ', 'é', '1', '-2.5', '007', 'a b', '\t');

test('rows without quotes are what the parser makes of them, wherever chunks are cut', async (t) => {
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 8 });
  const cases = fc.record({
    rows,
    delimiter: fc.constantFrom(',', ';', '|'),
    ending: fc.constantFrom('\n', '\r\n', '\r'),
    size: fc.integer({ min: 1, max: 9 }),
    last: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ rows: cells, delimiter, ending, size, last }) => {
      const text = (header: string): string =>
        [header, ...cells.map((row) => row.join(delimiter))].join(ending) + (last ? ending : '');
      const header = ['one', 'two', 'three'].join(delimiter);
      const quoted = ['"one"', 'two', 'three'].join(delimiter);
      const read = (from: string) => collect(readCsv(chunksOf(from, size), 10_000, null));
      t.deepEqual(await read(text(header)), await read(text(quoted)));
    }),
    { numRuns: runs(300) },
  );
});

test('lines that end in LF and in CRLF may be mixed, with quotes and without', async (t) => {
  for (const size of [1, 3, 100])
    for (const header of ['a,b', '"a",b', 'a,"b"'])
      t.deepEqual(
        (await collect(readCsv(chunksOf(`${header}\r\n1,x\n2,y\r\n\r\n\n3,"z\r\nz\n"\n4,w\r\n5,v`, size), 1_000, null))).map((record) => [record.line, record.kind === 'document' ? record.document : record]), // prettier-ignore
        [[2, { a: 1, b: 'x' }], [3, { a: 2, b: 'y' }], [6, { a: 3, b: 'z\r\nz\n' }], [9, { a: 4, b: 'w' }], [10, { a: 5, b: 'v' }]], // prettier-ignore
      );
});

test('the parser takes over where the first quote is, with its lines', async (t) => {
  const text = 'a,b\r\n1,x\r\n\r\n2,y\r\n3,"z\r\n,z"\r\n4\r\n5,"w"\r\n';
  for (const size of [1, 3, 7, 100])
    t.deepEqual(
      (await collect(readCsv(chunksOf(text, size), 1_000, null))).map((record) => [record.line, record.kind === 'document' ? record.document : record.kind]), // prettier-ignore
      [[2, { a: 1, b: 'x' }], [4, { a: 2, b: 'y' }], [5, { a: 3, b: 'z\r\n,z' }], [7, { a: 4 }], [8, { a: 5, b: 'w' }]], // prettier-ignore
    );
});
