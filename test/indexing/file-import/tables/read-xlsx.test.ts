import test from 'ava';
import { detectFormat } from '../../../../src/indexing/file-import/records/detect-format.ts';
import type { ReadingOptions } from '../../../../src/indexing/file-import/records/source-record.ts';
import { plainReading } from '../../../../src/indexing/file-import/records/source-record.ts';
import { readXlsx } from '../../../../src/indexing/file-import/tables/read-xlsx.ts';
import { chunksOf, collect } from '../collect.ts';
import { workbookParts, zipOf } from './workbook.ts';

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
    [4, { Nr: '008', Titel: 'constructor', gezeigt: false, erworben: '2020-02-29T12:00:00.000Z', Mass_Höhe: 2 }], // prettier-ignore
  ]);
});

test('numbers among texts stay texts unless a type is requested', async (t) => {
  const bytes = zipOf(workbookParts({ A: [['year', 'price'], [1850, '1,5'], ['ca. 1850', 2.5]] })); // prettier-ignore
  t.deepEqual(await read(bytes), [[2, { year: '1850', price: '1,5' }], [3, { year: 'ca. 1850', price: '2.5' }]]); // prettier-ignore
  t.deepEqual(await read(bytes, { decimal: ',' }), [[2, { year: '1850', price: 1.5 }], [3, { year: 'ca. 1850', price: 2.5 }]]); // prettier-ignore
});

test('one of several sheets is named; a sheet without a cell is none', async (t) => {
  const one = [['a'], [1]];
  const bytes = zipOf(workbookParts({ First: one, Second: [['b'], [2]], Empty: [] }));
  await t.throwsAsync(read(bytes), {
    code: 'INPUT_INVALID',
    message: 'the workbook has several sheets: name one with --sheet (First, Second)',
  });
  t.deepEqual(await read(bytes, { sheet: 'Second' }), [[2, { b: 2 }]]);
  await t.throwsAsync(read(bytes, { sheet: 'Third' }), {
    message: 'the workbook has no sheet Third: it has First, Second, Empty',
  });
  t.deepEqual(await read(zipOf(workbookParts({ First: one, Empty: [] }))), [[2, { a: 1 }]]);
});

test('a workbook that unpacks to too much, or to more than declared, is refused before it is read', async (t) => {
  const parts = workbookParts({ A: [['a'], [1]] });
  const huge = { ...parts, 'xl/worksheets/sheet1.xml': Buffer.alloc(160 * 1024 * 1024, ' ') };
  await t.throwsAsync(read(zipOf(huge)), { code: 'INPUT_INVALID', message: /unpacks to 161 MiB, more than 128 MiB: save the sheet as CSV/ }); // prettier-ignore
  await t.throwsAsync(read(zipOf(huge, { 'xl/worksheets/sheet1.xml': 1_000 })), { message: /is damaged or truncated/ }); // prettier-ignore
  const far = { ...parts, 'xl/worksheets/sheet1.xml': parts['xl/worksheets/sheet1.xml']!.replace('A2', 'XFD1048576') }; // prettier-ignore
  await t.throwsAsync(read(zipOf(far)), { message: /a sheet reaches to column XFD and row 1048576, which is too large: delete what is outside/ }); // prettier-ignore
});

test('a damaged workbook is refused with the reason', async (t) => {
  const bytes = zipOf(workbookParts({ A: [['a'], [1]] }));
  await t.throwsAsync(read(bytes.subarray(0, -30)), { message: /is damaged or truncated/ });
  await t.throwsAsync(read(zipOf({ 'xl/x.xml': '<a/>' })), { code: 'INPUT_INVALID', message: /the workbook cannot be read/ }); // prettier-ignore
});
