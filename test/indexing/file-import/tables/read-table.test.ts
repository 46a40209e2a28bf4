import test from 'ava';
import type { ReadingOptions } from '../../../../src/indexing/file-import/records/source-record.ts';
import { plainReading } from '../../../../src/indexing/file-import/records/source-record.ts';
import { readCsv } from '../../../../src/indexing/file-import/tables/read-csv.ts';
import { chunksOf, collect } from '../collect.ts';

const read = async (text: string | Buffer, reading: Partial<ReadingOptions> = {}): Promise<unknown[]> =>
  (await collect(readCsv(chunksOf(text, 5), 1_000, null, { ...plainReading, ...reading }))).map((record) =>
    record.kind === 'document'
      ? [record.line, record.document]
      : record.kind === 'bad'
        ? [record.line, record.reason, record.text]
        : record,
  );

for (const [what, text, rows, reading] of [
  [
    'a bar separates cells, which are trimmed unless quoted',
    'a | b\n1 | x \n2|" y "\n',
    [
      [2, { a: 1, b: 'x' }],
      [3, { a: 2, b: ' y ' }],
    ],
  ],
  [
    'the header is what tells the delimiter, outside its quotes',
    '"a,b,c";d\n1;2\n',
    [[2, { 'a,b,c': 1, d: 2 }]],
  ],
  ['a delimiter that is named counts', 'a,b;c\n1,5;2\n', [[2, { 'a,b': '1,5', c: 2 }]], { delimiter: ';' }],
  [
    'a first line that names the delimiter is not a header',
    'sep=;\r\na;b,c\r\n1;2\r\n',
    [[3, { a: 1, 'b,c': 2 }]],
  ],
  ['empty cells between tabs stay where they are', 'a\tb\tc\n\t\tx\n', [[2, { c: 'x' }]]],
  [
    'empty columns without a name, and empty rows, are passed over',
    'a;b;;\n1;2;;\n;;;\n3;;;\n',
    [
      [2, { a: 1, b: 2 }],
      [4, { a: 3 }],
    ],
  ],
  [
    'quoted spaces are nothing, and rows of them are passed over',
    'a,b\n" ",x\n5,"\u00a0"\n" "," "\n',
    [
      [2, { b: 'x' }],
      [3, { a: 5 }],
    ],
  ],
  [
    'cells past the header are nothing while they are empty',
    'a,b\n1,2,,\n3,4,5\n',
    [
      [2, { a: 1, b: 2 }],
      [3, '3 cells where the header has 2: cell 3 is "5"', '3,4,5'],
    ],
  ],
  [
    'a row of several lines has the number of its first',
    'a,b\r\n"x\r\ny\nz",1\r\n2\r\n',
    [
      [2, { a: 'x\r\ny\nz', b: 1 }],
      [5, { a: '2' }],
    ],
  ],
  ['returns alone end lines', 'a,b\r1,2\r', [[2, { a: 1, b: 2 }]]],
  [
    'names that objects inherit are names and values',
    'constructor,__proto__,x.valueOf,b,x.toString\ntoString,valueOf,1,true,2\n',
    [
      [
        2,
        JSON.parse(
          '{"constructor":"toString","__proto__":"valueOf","x":{"valueOf":1,"toString":2},"b":true}',
        ),
      ],
    ],
  ],
  [
    'words for nothing are absent and do not make a column text',
    'a,b\nN/A,x\n5,unknown\n',
    [
      [2, { b: 'x' }],
      [3, { a: 5 }],
    ],
    { nullWords: new Set(['N/A', 'unknown']) },
  ],
  [
    'a decimal comma, digits in groups',
    'a;b\n1.234,5;1 000\n-2;3\n',
    [
      [2, { a: 1234.5, b: 1000 }],
      [3, { a: -2, b: 3 }],
    ],
    { decimal: ',' },
  ],
  [
    'a point that groups no thousands is not a number with a decimal comma',
    'a\n1.5\n',
    [[2, { a: '1.5' }]],
    { decimal: ',' },
  ],
  [
    'a decimal point, digits in groups',
    'a;b\n"1,234.5";007\n',
    [[2, { a: 1234.5, b: '007' }]],
    { decimal: '.' },
  ],
  [
    'dates are stored as ISO, as exact as they are written',
    'a,b\n31.12.2020,x\n1.2.1999,1.1.2000\n',
    [
      [2, { a: '2020-12-31', b: 'x' }],
      [3, { a: '1999-02-01', b: '1.1.2000' }],
    ],
    { dateFormat: 'd.M.yyyy' },
  ],
  ['months and times', 'a\n12/2020\n', [[2, { a: '2020-12' }]], { dateFormat: 'MM/yyyy' }],
  [
    'a type that is requested reads what fits, the rest stays text',
    'a,b\nYes,1\nnein,x\nmaybe,2\n',
    [
      [2, { a: true, b: 1 }],
      [3, { a: false, b: 'x' }],
      [4, { a: 'maybe', b: 2 }],
    ],
    {
      types: new Map([
        ['a', 'boolean'],
        ['b', 'long'],
      ]),
    },
  ],
  [
    'a column that is read as text on request keeps its zeros',
    'a\n1\n2.50\n',
    [
      [2, { a: '1' }],
      [3, { a: '2.50' }],
    ],
    { types: new Map([['a', 'keyword']]) },
  ],
  ['nothing', '', []],
  ['a header alone', 'a,b\n', []],
] as readonly (readonly [string, string, readonly unknown[], Partial<ReadingOptions>?])[])
  test(what, async (t) => {
    t.deepEqual(await read(text, reading), rows as unknown[]);
  });

for (const [what, header, message] of [
  [
    'names with the same letters for GraphQL',
    'a b,a-b',
    'the columns "a b" and "a-b" would both be a_b in GraphQL: rename them in the header, for example to a_b and a_b_2',
  ],
  [
    'letters that GraphQL lacks',
    'Größe,Gräße',
    'the columns "Größe" and "Gräße" would both be Gr__e in GraphQL: rename them in the header, for example to Groesse and Graesse',
  ],
  [
    'a path and its own join',
    'a.b,a__b',
    'the columns "a.b" and "a__b" would both be a__b in GraphQL: rename them in the header, for example to a.b and a_b',
  ],
  [
    'a value that is an object too',
    'a,a.b',
    'the column "a" cannot hold values and be the object of "a.b": rename it, for example to a.value',
  ],
  [
    'an empty part',
    'a..b,c',
    'the column "a..b" has an empty part beside a dot, which separates objects: rename it, for example to a.b',
  ],
] as const)
  test(`${what}: an error that offers names`, async (t) => {
    await t.throwsAsync(read(`${header}\n1,2\n`, { dots: 'objects' }), { code: 'INPUT_INVALID', message });
  });
