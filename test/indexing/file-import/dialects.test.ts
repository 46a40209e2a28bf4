import { parquetWriteBuffer } from 'hyparquet-writer';
import test from 'ava';
import { readingOptions } from '../../../src/cli/load/load-options.ts';
import type { ReadingArguments } from '../../../src/cli/load/load-options.ts';
import type { ImportFormat } from '../../../src/indexing/file-import/records/detect-format.ts';
import { openSource } from '../../../src/indexing/file-import/records/open-source.ts';
import { Readable } from 'node:stream';
import fc, { runs } from '../../fast-check.ts';
import { load } from './load-file.ts';
import { workbookParts, zipOf } from './tables/workbook.ts';

interface Row {
  readonly id: number;
  readonly title: string | null;
  readonly count: number | null;
  readonly weight: number | null;
  readonly born: string | null;
}

const columns = ['id', 'title', 'count', 'weight', 'born'] as const;

/** Texts with what separates and quotes cells elsewhere; each is a text in every dialect. */
const title = fc
  .string({ unit: fc.constantFrom(...`ab ,;|"'#ßé-1.`), maxLength: 12 })
  .map((text) => `t${text}`.trim());

const nullable = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null, freq: 4 });

const row = fc.record({
  title: nullable(title),
  count: nullable(fc.integer({ min: -5_000, max: 5_000_000 })),
  weight: nullable(fc.integer({ min: -99_999, max: 99_999 }).map((cents) => cents / 100)),
  born: nullable(
    fc.integer({ min: 0, max: 30_000 }).map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10)),
  ),
});

const tables = fc
  .array(row, { minLength: 3, maxLength: 12 })
  .map((rows) => rows.map((one, at): Row => ({ id: at + 1, ...one })));

type Cells = (row: Row) => readonly string[];

const plain: Cells = (one) => columns.map((name) => String(one[name] ?? ''));
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const asNeeded = (text: string): string => (/[",;|#]/.test(text) ? quoted(text) : text);
const german = (date: string | null): string => date?.split('-').reverse().join('.') ?? '';

/** A table as text: `header` lines, then rows. */
const text = (rows: readonly Row[], header: string, cells: Cells, sign: string, end = '\n'): string =>
  [header, ...rows.map((one) => cells(one).join(sign))].join(end) + end;

interface Dialect {
  readonly bytes: (rows: readonly Row[]) => string | Buffer;
  readonly options?: ReadingArguments;
  readonly format?: ImportFormat;
  readonly encoding?: string;
  /** How the fields are called. */
  readonly names?: Readonly<Record<string, string>>;
}

const values = (rows: readonly Row[], name: (typeof columns)[number]) => rows.map((one) => one[name]);

const dialects: Readonly<Record<string, Dialect>> = {
  'commas, quotes as needed': {
    bytes: (rows) => text(rows, columns.join(','), (one) => plain(one).map(asNeeded), ','),
  },
  'semicolons, decimal commas, German dates, CRLF': {
    bytes: (rows) =>
      text(
        rows,
        columns.join(';'),
        (one) => [
          String(one.id),
          asNeeded(one.title ?? ''),
          String(one.count ?? ''),
          String(one.weight ?? '').replace('.', ','),
          german(one.born),
        ],
        ';',
        '\r\n',
      ),
    options: { decimal: 'weight=,', 'date-format': 'dd.MM.yyyy' },
  },
  'tabs without quotes': {
    bytes: (rows) => text(rows, columns.join('\t'), plain, '\t'),
    options: { quote: 'none' },
  },
  'bars, everything in quotes': {
    bytes: (rows) =>
      text(
        rows,
        columns.map(quoted).join('|'),
        (one) => plain(one).map((cell) => (cell === '' ? '' : quoted(cell))),
        '|',
      ),
  },
  'UTF-16': {
    bytes: (rows) =>
      Buffer.from(
        `\uFEFF${text(rows, columns.join('\t'), (one) => plain(one).map(asNeeded), '\t')}`,
        'utf16le',
      ),
    options: { quote: '"' },
  },
  'Windows-1252': {
    bytes: (rows) =>
      Buffer.from(
        text(rows, columns.join(';'), (one) => plain(one).map(asNeeded), ';'),
        'latin1',
      ),
    encoding: 'windows-1252',
  },
  'words for nothing': {
    bytes: (rows) =>
      text(
        rows,
        columns.join(','),
        (one) => columns.map((name) => asNeeded(String(one[name] ?? 'N/A'))),
        ',',
      ),
    options: { null: ['N/A'] },
  },
  'titles above the header': {
    bytes: (rows) =>
      text(
        rows,
        `Report of today\nby the registry\n\n${columns.join(',')}`,
        (one) => plain(one).map(asNeeded),
        ',',
      ),
    options: { 'header-row': '4' },
  },
  'comments above the header': {
    bytes: (rows) =>
      text(rows, `#made "today\n#by hand\n${columns.join(',')}`, (one) => plain(one).map(asNeeded), ','),
  },
  'two lines of a header': {
    bytes: (rows) =>
      text(rows, `Record,,Measured,,\n${columns.join(',')}`, (one) => plain(one).map(asNeeded), ','),
    options: { 'header-row': '1-2' },
    names: {
      id: 'Record id',
      title: 'Record title',
      count: 'Measured count',
      weight: 'Measured weight',
      born: 'Measured born',
    },
  },
  'no header': {
    bytes: (rows) => rows.map((one) => `${plain(one).map(asNeeded).join(',')}\n`).join(''),
    options: { 'no-header': true },
    names: { id: 'column_1', title: 'column_2', count: 'column_3', weight: 'column_4', born: 'column_5' },
  },
  XLSX: {
    format: 'xlsx',
    bytes: (rows) =>
      zipOf(
        workbookParts({
          A: [
            columns,
            ...rows.map((one) =>
              columns.map((name) => (name === 'born' && one.born !== null ? new Date(one.born) : one[name])),
            ),
          ],
        }),
      ),
  },
  Parquet: {
    format: 'parquet',
    bytes: (rows) =>
      Buffer.from(
        parquetWriteBuffer({
          columnData: [
            { name: 'id', data: values(rows, 'id'), type: 'INT32' },
            { name: 'title', data: values(rows, 'title'), type: 'STRING' },
            { name: 'count', data: values(rows, 'count'), type: 'INT32' },
            { name: 'weight', data: values(rows, 'weight'), type: 'DOUBLE' },
            { name: 'born', data: values(rows, 'born'), type: 'STRING' },
          ],
        }),
      ),
  },
  NDJSON: { format: 'ndjson', bytes: (rows) => rows.map((one) => `${JSON.stringify(one)}\n`).join('') },
  'JSON in an envelope': {
    format: 'json',
    bytes: (rows) => JSON.stringify({ count: rows.length, results: rows }, null, 1),
  },
};

const utf8 = async (bytes: string | Buffer, encoding: string | undefined): Promise<Buffer> => {
  const source = await openSource('-', Readable.from([Buffer.from(bytes)]), { encoding });
  const chunks: Buffer[] = [];
  for await (const chunk of source.chunks) chunks.push(chunk);
  return Buffer.concat(chunks);
};

for (const [name, { bytes, options = {}, format = 'csv', encoding, names }] of Object.entries(dialects))
  test(`a table printed with ${name} loads to the same documents`, async (t) => {
    await fc.assert(
      fc.asyncProperty(tables, async (rows) => {
        const expected = rows.map((one) =>
          Object.fromEntries(
            columns.flatMap((column) =>
              one[column] === null ? [] : [[names?.[column] ?? column, one[column]]],
            ),
          ),
        );
        const dated = options['date-format'] === undefined || rows.some(({ born }) => born !== null);
        const reading = readingOptions(dated ? options : { ...options, 'date-format': [] });
        const idField = names?.['id'] ?? 'id';
        const printed = format === 'csv' ? await utf8(bytes(rows), encoding) : bytes(rows);
        const { documents, rejects } = await load(printed, { format, idField, reading });
        t.deepEqual(rejects, []);
        t.deepEqual(Object.values(documents).map(withoutNulls) as unknown, expected);
      }),
      { numRuns: runs(20) },
    );
  });

/** JSON has nulls where tables have empty cells. */
const withoutNulls = (document: object): object =>
  Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null));
