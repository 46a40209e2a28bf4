import test from 'ava';
import fc, { runs } from '../../../fast-check.ts';
import { readCsv } from '../../../../src/indexing/file-import/tables/read-csv.ts';
import { chunksOf, collect } from '../collect.ts';

const cell = fc.constantFrom('', 'x', ' y ', 'é', '1', '-2.5', '007', 'a b', '\t');

test('rows without quotes are the same below a header with quotes, wherever chunks are cut', async (t) => {
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
      // rows that are all longer than the header are a question
      const read = (from: string) =>
        collect(readCsv(chunksOf(from, size), 10_000, null)).catch((error: unknown) => String(error));
      t.deepEqual(await read(text(header)), await read(text(quoted)));
    }),
    { numRuns: runs(300) },
  );
});

test('lines that end in LF and in CRLF may be mixed, with quotes and without', async (t) => {
  for (const size of [1, 3, 100])
    for (const header of ['a,b', '"a",b', 'a,"b"'])
      t.deepEqual(
        (
          await collect(
            readCsv(chunksOf(`${header}\r\n1,x\n2,y\r\n\r\n\n3,"z\r\nz\n"\n4,w\r\n5,v`, size), 1_000, null),
          )
        ).map((record) => [record.line, record.kind === 'document' ? record.document : record]),
        [
          [2, { a: 1, b: 'x' }],
          [3, { a: 2, b: 'y' }],
          [6, { a: 3, b: 'z\r\nz\n' }],
          [9, { a: 4, b: 'w' }],
          [10, { a: 5, b: 'v' }],
        ],
      );
});

test('lines are counted on through quoted cells of several lines', async (t) => {
  const text = 'a,b\r\n1,x\r\n\r\n2,y\r\n3,"z\r\n,z"\r\n4\r\n5,"w"\r\n';
  for (const size of [1, 3, 7, 100])
    t.deepEqual(
      (await collect(readCsv(chunksOf(text, size), 1_000, null))).map((record) => [
        record.line,
        record.kind === 'document' ? record.document : record.kind,
      ]),
      [
        [2, { a: 1, b: 'x' }],
        [4, { a: 2, b: 'y' }],
        [5, { a: 3, b: 'z\r\n,z' }],
        [7, { a: 4 }],
        [8, { a: 5, b: 'w' }],
      ],
    );
});

const rowsOf = async (text: string, size: number): Promise<readonly unknown[]> =>
  (await collect(readCsv(chunksOf(text, size), 1_000, null))).map((record) => [
    record.line,
    record.kind === 'document' ? Object.values(record.document) : 'text' in record && record.text,
  ]);

for (const [what, text, rows] of [
  [
    'a quote in the middle of a cell is text',
    '1,12" bed\n2,say "x"\n3,y\n',
    [
      [2, [1, '12" bed']],
      [3, [2, 'say "x"']],
      [4, [3, 'y']],
    ],
  ],
  [
    'text after a closing quote',
    '1,"x"y\n2,"ok"\n3,y\n',
    [
      [2, '1,"x"y'],
      [3, [2, 'ok']],
      [4, [3, 'y']],
    ],
  ],
  [
    'a space and text after a closing quote',
    '1,"x" y\n2,"ok"\n3,y\n4,z\n',
    [
      [2, '1,"x" y'],
      [3, [2, 'ok']],
      [4, [3, 'y']],
      [5, [4, 'z']],
    ],
  ],
  [
    'a quote that closes where the next begins',
    '1,"x\n2,"ok"\n3,y\n',
    [
      [2, '1,"x\n2,"ok"'],
      [4, [3, 'y']],
    ],
  ],
  ['spaces around quotes', '1 , " a, b " \n', [[2, [1, ' a, b ']]]],
  [
    'formulas for texts',
    '1,="007"\n2,="1 ""x"\n',
    [
      [2, [1, '007']],
      [3, [2, '="1 ""x"']],
    ],
  ],
] as const)
  test(`no row is lost: ${what}`, async (t) => {
    for (const size of [1, 5, 100]) t.deepEqual(await rowsOf(`a,b\n${text}`, size), rows as unknown);
  });
