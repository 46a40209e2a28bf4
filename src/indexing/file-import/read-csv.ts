import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CsvError } from 'csv-parse';
import { parse } from 'csv-parse';
import { TributaryError } from '../../errors.ts';
import type { JsonObject } from '../../json.ts';
import type { Column } from './csv-columns.ts';
import { csvColumns, rowDocument } from './csv-columns.ts';
import { decodeText } from './decode-text.ts';
import type { BadRecord, SourceRecord } from './source-record.ts';
import { badRecord } from './source-record.ts';

const sampleRows = 1_000;

interface Row {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: { readonly lines: number };
}

/**
 * CSV with a header line; separated by comma, semicolon or tab, whichever the header has most of. Column types come
 * from `properties` or from the first 1 000 rows.
 * @throws TributaryError INPUT_INVALID a header with an empty or repeated name, a row longer than `maxRecordBytes`
 */
export const readCsv = async function* (
  chunks: AsyncIterable<Buffer>,
  maxRecordBytes: number,
  properties: JsonObject | null,
): AsyncGenerator<SourceRecord> {
  const bad: BadRecord[] = [];
  let header: readonly string[] | null = null;
  let columns: readonly Column[] | null = null;
  const held: Row[] = [];
  const type = (names: readonly string[]): readonly Column[] =>
    csvColumns(names, held.map((row) => row.record), properties); // prettier-ignore
  for await (const row of rowsOf(chunks, maxRecordBytes, bad)) {
    if (header === null) {
      header = checkedHeader(row.record);
      continue;
    }
    yield* bad.splice(0);
    if (columns !== null) {
      yield rowRecord(row, columns);
      continue;
    }
    held.push(row);
    if (held.length < sampleRows) continue;
    columns = type(header);
    for (const earlier of held.splice(0)) yield rowRecord(earlier, columns);
  }
  const typed = columns ?? type(header ?? []);
  for (const earlier of held) yield rowRecord(earlier, typed);
  yield* bad;
};

const rowRecord = (row: Row, columns: readonly Column[]): SourceRecord => {
  if (row.record.length !== columns.length) {
    const found = `${String(row.record.length)} cells where the header has ${String(columns.length)}`;
    return badRecord(row.info.lines, found, row.raw.trimEnd());
  }
  return {
    kind: 'document',
    line: row.info.lines,
    id: null,
    document: rowDocument(columns, row.record),
    rounded: null,
    bytes: row.raw.length,
  };
};

const checkedHeader = (names: readonly string[]): readonly string[] => {
  const trimmed = names.map((name) => name.trim());
  const wrong = trimmed.find((name, position) => name === '' || trimmed.indexOf(name) !== position);
  if (wrong === undefined) return trimmed;
  const what = wrong === '' ? 'an empty column name' : `the column name ${wrong} twice`;
  throw new TributaryError('INPUT_INVALID', `the header has ${what}: every column needs a name of its own`);
};

/** The rows, the header first; rows that cannot be read go to `bad`, and the next ones are read on. */
const rowsOf = async function* (
  chunks: AsyncIterable<Buffer>,
  maxRecordBytes: number,
  bad: BadRecord[],
): AsyncGenerator<Row> {
  const text = decodeText(chunks);
  const first = await text.next();
  if (first.done === true) return;
  let tooLong: CsvError | null = null;
  const parser = parse({
    delimiter: delimiterOf(first.value),
    info: true,
    raw: true,
    max_record_size: maxRecordBytes,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error, raw) => {
      // After this one the parser does not find back to the rows.
      if (error?.code === 'CSV_MAX_RECORD_SIZE') tooLong = error;
      bad.push(badRecord(lineOf(error), error?.message ?? 'not readable', raw ?? ''));
      return undefined;
    },
  });
  const fed = pipeline(Readable.from(prepend(first.value, text)), parser);
  fed.catch(() => undefined); // awaited below; a failure also ends the loop
  for await (const row of parser) {
    yield row as Row;
    if (tooLong !== null) break;
  }
  if (tooLong !== null) throw rowTooLong(tooLong);
  await fed;
};

const lineOf = (error: CsvError | undefined): number =>
  typeof error?.['lines'] === 'number' ? error['lines'] : 0;

const rowTooLong = (error: CsvError): TributaryError =>
  new TributaryError(
    'INPUT_INVALID',
    `a row that ends after line ${String(lineOf(error))} is too long: a quote before it may not be closed`,
  );

const prepend = async function* (first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
};

const delimiterOf = (text: string): string => {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  const count = (delimiter: string): number => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best));
};
