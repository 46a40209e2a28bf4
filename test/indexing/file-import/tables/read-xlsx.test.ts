import test from 'ava';
import { detectFormat } from '../../../../src/indexing/file-import/records/detect-format.ts';
import type { TributaryError } from '../../../../src/lib/errors/errors.ts';
import type { ReadingOptions } from '../../../../src/indexing/file-import/records/source-record.ts';
import { plainReading } from '../../../../src/indexing/file-import/records/source-record.ts';
import { readXlsx } from '../../../../src/indexing/file-import/tables/read-xlsx.ts';
import { chunksOf, collect } from '../collect.ts';
import { workbookParts, zipOf } from './workbook.ts';
import { settledBy } from '../../../../src/indexing/file-import/tables/question.ts';

const read = async (bytes: Buffer, reading: Partial<ReadingOptions> = {}): Promise<unknown[]> =>
  (await collect(readXlsx(chunksOf(bytes, 1_000), 1_000, null, { ...plainReading, ...reading }))).map(
    (record) => (record.kind === 'document' ? [record.line, record.document] : record),
  );

const day = new Date('1999-12-31T00:00:00Z');
const noon = new Date('2020-02-29T12:00:00Z');

test('cells are the values they hold, dates ISO, empty rows and columns nothing', async (t) => {
  const bytes = zipOf(
    workbookParts({
      Stücke: [
        ['Nr', 'Titel', 'gezeigt', 'erworben', 'Mass.Höhe', null],
        ['007', 'Stuhl & Tisch', true, day, 1.5, null],
        [null, null, null, null, null, null],
        ['008', 'constructor', false, noon, 2, null],
      ],
    }),
  );
  t.is(detectFormat(bytes.subarray(0, 65_536)), 'xlsx');
  t.deepEqual(await read(bytes), [
    [2, { Nr: '007', Titel: 'Stuhl & Tisch', gezeigt: true, erworben: '1999-12-31', Mass_Höhe: 1.5 }],
    [
      4,
      { Nr: '008', Titel: 'constructor', gezeigt: false, erworben: '2020-02-29T12:00:00.000Z', Mass_Höhe: 2 },
    ],
  ]);
});

test('cells of spaces are empty: they make no text of a column, and no record of a row', async (t) => {
  const bytes = zipOf(
    workbookParts({
      A: [
        ['a', 'b'],
        [1, ' '],
        [' ', 'x '],
        [' ', '\u00a0'],
      ],
    }),
  );
  t.deepEqual(await read(bytes), [
    [2, { a: 1 }],
    [3, { b: 'x ' }],
  ]);
});

test('numbers among texts stay texts unless a type is requested', async (t) => {
  const bytes = zipOf(
    workbookParts({
      A: [
        ['year', 'price'],
        [1850, '1,5'],
        ['ca. 1850', 2.5],
      ],
    }),
  );
  t.deepEqual(await read(bytes), [
    [2, { year: '1850', price: '1,5' }],
    [3, { year: 'ca. 1850', price: '2.5' }],
  ]);
  t.deepEqual(await read(bytes, { decimal: ',' }), [
    [2, { year: '1850', price: 1.5 }],
    [3, { year: 'ca. 1850', price: 2.5 }],
  ]);
});

test('one of several sheets is named; a sheet without a cell is none', async (t) => {
  const one = [['a'], [1]];
  const bytes = zipOf(workbookParts({ First: one, Second: [['b'], [2]], Empty: [] }));
  await t.throwsAsync(read(bytes), {
    code: 'INPUT_INVALID',
    message: 'the workbook has several sheets: name one with --sheet (First, Second)',
  });
  const longer = await t.throwsAsync(
    read(zipOf(workbookParts({ Notice: [['made in'], [1987]], 'The data': [...one, [2], [3]] }))),
  );
  t.is(settledBy(longer), '--sheet "The data"');
  t.deepEqual(await read(bytes, { sheet: 'Second' }), [[2, { b: 2 }]]);
  await t.throwsAsync(read(bytes, { sheet: 'Third' }), {
    message: 'the workbook has no sheet Third: it has First, Second, Empty',
  });
  t.deepEqual(await read(zipOf(workbookParts({ First: one, Empty: [] }))), [[2, { a: 1 }]]);
});

test('a workbook that unpacks to too much, or to more than declared, is refused before it is read', async (t) => {
  const parts = workbookParts({ A: [['a'], [1]] });
  const huge = { ...parts, 'xl/worksheets/sheet1.xml': Buffer.alloc(160 * 1024 * 1024, ' ') };
  await t.throwsAsync(read(zipOf(huge)), {
    code: 'INPUT_INVALID',
    message: /unpacks to 161 MiB, more than 128 MiB: save the sheet as CSV/,
  });
  await t.throwsAsync(read(zipOf(huge, { 'xl/worksheets/sheet1.xml': 1_000 })), {
    message: /is damaged or truncated/,
  });
  const far = {
    ...parts,
    'xl/worksheets/sheet1.xml': parts['xl/worksheets/sheet1.xml']!.replace('A2', 'XFD1048576'),
  };
  await t.throwsAsync(read(zipOf(far)), {
    message: /a sheet reaches to column XFD and row 1048576, which is too large: delete what is outside/,
  });
});

test('a damaged workbook is refused with the reason', async (t) => {
  const bytes = zipOf(workbookParts({ A: [['a'], [1]] }));
  await t.throwsAsync(read(bytes.subarray(0, -30)), { message: /is damaged or truncated/ });
  await t.throwsAsync(read(zipOf({ 'xl/x.xml': '<a/>' })), {
    code: 'INPUT_INVALID',
    message: /the workbook cannot be read/,
  });
});

/** A sheet of raw cells in a workbook with number formats, by style. */
const rawWorkbook = (
  cells: string,
  {
    formats = [],
    rest = '',
    date1904 = false,
  }: { readonly formats?: readonly string[]; readonly rest?: string; readonly date1904?: boolean } = {},
): Buffer => {
  const parts = workbookParts({ A: [['x']] });
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const escaped = formats.map((format) => format.replaceAll('"', '&quot;'));
  return zipOf({
    ...parts,
    'xl/workbook.xml': date1904
      ? parts['xl/workbook.xml']!.replace('<workbookPr/>', '<workbookPr date1904="1"/>')
      : parts['xl/workbook.xml']!,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${escaped.map((format, at) => `<numFmt numFmtId="${String(170 + at)}" formatCode="${format}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_, at) => `<xf numFmtId="${String(170 + at)}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${cells}</sheetData>${rest}</worksheet>`,
  });
};

const text = (address: string, value: string): string =>
  `<c r="${address}" t="inlineStr"><is><t>${value}</t></is></c>`;

for (const [format, value, right] of [
  ['yyyy-mm-dd h:mm:ss', 43952.47916666666, '2020-05-01T11:30:00.000Z'],
  ['yyyy-mm-dd hh:mm:ss.000', 43952.47917361111, '2020-05-01T11:30:00.600Z'],
  ['dd.mm.yyyy', 19739, '1954-01-15'],
  ['mmm yyyy', 43952, '2020-05-01'],
  ['[$-407]d. mmmm yyyy', 43952, '2020-05-01'],
  ['d', 1, '1900-01-01'],
  ['dd.mm.yyyy', 61, '1900-03-01'],
  ['h:mm:ss', 0.4069444444444444, '9:46:00'],
  ['hh:mm', 43952.4375, '10:30'],
  ['[h]:mm', 1.086805555555556, '26:05'],
  ['mm:ss', 0.001, '01:26'],
  ['00000', 2155, '02155'],
  ['000-00', 50123, '501-23'],
  ['000\\-00\\-0000', 12345678, '012-34-5678'],
  ['"INV "0000', 7, 'INV 0007'],
  ['0" kg"', 7, 7],
  ['0.0%', 0.453, 0.453],
  ['0.00', 1.005, 1.005],
  ['#,##0 "days"', 12, 12],
  ['[Red]0.0', 2.5, 2.5],
] as const)
  test(`a cell of the format ${format} with ${String(value)} is ${String(right)}`, async (t) => {
    const cells = `<row r="1">${text('A1', 'v')}${text('B1', 'w')}</row><row r="2"><c r="A2" s="1"><v>${String(value)}</v></c>${text('B2', 'x')}</row>`;
    t.deepEqual(await read(rawWorkbook(cells, { formats: [format] })), [[2, { v: right, w: 'x' }]]);
  });

test('days of a workbook that counts from 1904', async (t) => {
  const cells = `<row r="1">${text('A1', 'v')}</row><row r="2"><c r="A2" s="1"><v>42490.5</v></c></row>`;
  t.deepEqual(await read(rawWorkbook(cells, { formats: ['dd.mm.yyyy'], date1904: true })), [
    [2, { v: '2020-05-01T12:00:00.000Z' }],
  ]);
});

test('a cell that holds an ISO date is that date, whatever its format', async (t) => {
  const dates = ['2020-05-01', '2020-05-01T11:30:00', '2020-05-01T11:30:00.6Z'];
  const row = (at: number, cells: string): string => `<row r="${String(at)}">${cells}</row>`;
  const cells = [
    row(1, text('A1', 'v') + text('B1', 'w') + text('C1', 'n')),
    ...dates.map((date, at) =>
      row(
        at + 2,
        `<c r="A${String(at + 2)}" t="d"><v>${date}</v></c><c r="B${String(at + 2)}" s="1" t="d"><v>${date}</v></c><c r="C${String(at + 2)}"><v>43952.5</v></c>`,
      ),
    ),
    row(5, '<c r="A5" s="1"><v>43952.47917361111</v></c>'),
  ].join('');
  const expected = [...dates.slice(0, 1), '2020-05-01T11:30:00.000Z', '2020-05-01T11:30:00.600Z'];
  t.deepEqual(await read(rawWorkbook(cells, { formats: ['dd.mm.yyyy'] })), [
    ...expected.map((date, at) => [at + 2, { v: date, w: date, n: 43952.5 }]),
    [5, { v: '2020-05-01T11:30:00.600Z' }],
  ]);
});

test('formulas without values, errors, merged cells and hidden rows are reported', async (t) => {
  const cells =
    `<row r="1">${text('A1', 'site')}${text('B1', 'n')}</row><row r="2">${text('A2', 'Bonn')}<c r="B2"><f>1+1</f></c></row>` +
    `<row r="3" hidden="1"><c r="B3" t="e"><f>1/0</f><v>#DIV/0!</v></c></row><row r="4">${text('A4', 'Kiel')}<c r="B4"><f>1+2</f><v>3</v></c></row>` +
    `<row r="5" hidden="1">${text('A5', 'Lyon')}</row>`;
  const bytes = rawWorkbook(cells, { rest: '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>' });
  const notices: string[] = [];
  const onNotice = (notice: string): void => void notices.push(notice);
  t.deepEqual(await read(bytes, { onNotice }), [
    [2, { site: 'Bonn' }],
    [4, { site: 'Kiel', n: 3 }],
    [5, { site: 'Lyon' }],
  ]);
  t.deepEqual(notices, [
    '1 cell has a formula without a stored value and is empty (B2); open the workbook and save it',
    '1 cell has an error and is empty (B3: #DIV/0!)',
    '1 group of merged cells has its value in the first cell only (A2:A3); unmerge and fill them to have it in every row',
    '1 hidden row is loaded too (5)',
  ]);
});

test('whole numbers that a workbook rounds are reported', async (t) => {
  const cells = `<row r="1">${text('A1', 'n')}</row><row r="2"><c r="A2"><v>9007199254740993</v></c></row>`;
  const notices: string[] = [];
  await read(rawWorkbook(cells, {}), { onNotice: (notice) => void notices.push(notice) });
  t.deepEqual(notices, [
    '1 cell has a whole number of more digits than a number in a workbook keeps (A2); format such cells as text before typing',
  ]);
});

test('a workbook without the part of its sheet is an error in plain words', async (t) => {
  const { 'xl/worksheets/sheet1.xml': _, ...parts } = workbookParts({ S: [['a'], [1]] });
  await t.throwsAsync(read(zipOf(parts)), {
    message: 'the workbook cannot be read: save it again as .xlsx, or as CSV',
  });
});

test('a last column without a name is a column', async (t) => {
  const bytes = zipOf(workbookParts({ A: [['id'], ['a', 'x'], ['b', 'y']] }));
  t.deepEqual(await read(bytes), [
    [2, { id: 'a', column_2: 'x' }],
    [3, { id: 'b', column_2: 'y' }],
  ]);
});

test('several values in the cells of a single column are a question, words of a text are none', async (t) => {
  const sheet = (cells: readonly string[]): Buffer =>
    zipOf(workbookParts({ A: cells.map((cell) => [cell]) }));
  const joined = sheet(['id;name', '1;Ann', '2;Bob']);
  const error = await t.throwsAsync<TributaryError>(read(joined), {
    message:
      'the sheet has a single column, but each line seems to hold 2 values, separated by ;: make columns of them in the spreadsheet, or load with --header-row 1 if it is one column',
  });
  t.is(error?.details?.['settledBy'], '--header-row 1');
  t.deepEqual(await read(joined, { header: [1, 1] }), [
    [2, { 'id;name': '1;Ann' }],
    [3, { 'id;name': '2;Bob' }],
  ]);
  t.deepEqual(await read(sheet(['what was seen', 'a red bird', 'a blue fish'])), [
    [2, { 'what was seen': 'a red bird' }],
    [3, { 'what was seen': 'a blue fish' }],
  ]);
});
