import type { CsvError, Parser } from 'csv-parse';
import { parse } from 'csv-parse';
import { TributaryError } from '../../../errors/errors.ts';
import type { JsonObject } from '../../../json/json.ts';
import { checkedUtf8 } from '../records/decode-text.ts';
import type { ReadingOptions, BadRecord, SourceRecord } from '../records/source-record.ts';
import { plainReading, badRecord } from '../records/source-record.ts';
import type { TableRow } from './columns.ts';
import type { TableBatch } from './read-table.ts';
import { readTable } from './read-table.ts';

/**
 * CSV with a header line; separated by comma, semicolon, tab or bar, whichever is most frequent in the header, or as
 * `reading` requests. Unquoted cells are trimmed.
 * @throws TributaryError INPUT_INVALID a header without fields, text that is not UTF-8, a row longer than
 *   `maxRecordBytes`
 */
export const readCsv = (
  chunks: AsyncIterable<Buffer>,
  maxRecordBytes: number,
  properties: JsonObject | null,
  reading: ReadingOptions = plainReading,
): AsyncGenerator<SourceRecord> =>
  readTable(rowsOf(chunks, maxRecordBytes, reading.delimiter), properties, reading);

interface ParsedRow {
  readonly record: readonly string[];
  readonly raw: string;
}

/** How the rows of a file are separated. */
interface Layout {
  readonly delimiter: string;
  readonly maxRecordBytes: number;
  /** Lines of the file before this part. */
  readonly skippedLines: number;
  /** The record separator; undefined: detected from the first record. */
  readonly ending?: string | undefined;
}

/** The rows of each chunk; the parser is used only from the first quote on. */
const rowsOf = async function* (
  chunks: AsyncIterable<Buffer>,
  maxRecordBytes: number,
  separator: string | undefined,
): AsyncGenerator<TableBatch> {
  const start = await csvStart(checkedUtf8(chunks));
  const delimiter = separator ?? start.delimiter ?? delimiterOf(start.head);
  const unquoted = unquotedRows(delimiter, maxRecordBytes, start.skippedLines);
  const rest = start.chunks[Symbol.asyncIterator]();
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    const rows = unquoted.take(next.value);
    if (rows === null) {
      const skippedLines = start.skippedLines + unquoted.lines();
      const layout = { delimiter, maxRecordBytes, skippedLines, ending: unquoted.ending() };
      yield* parsedRows(following(Buffer.concat([unquoted.held(), next.value]), rest), layout);
      return;
    }
    yield rows;
  }
  yield unquoted.end();
};

const following = async function* (first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
};

/** The rows of each chunk, including bad records for unreadable rows, after which reading continues. */
const parsedRows = async function* (
  chunks: AsyncIterable<Buffer>,
  { delimiter, maxRecordBytes, skippedLines, ending }: Layout,
): AsyncGenerator<TableBatch> {
  let rows: (TableRow | BadRecord)[] = [];
  let countedTwice = 0;
  let linesBefore = 0;
  let failed: TributaryError | null = null;
  const parser = parse({
    delimiter,
    ...(ending !== undefined && { record_delimiter: ending }),
    raw: true,
    trim: true,
    max_record_size: maxRecordBytes,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_record: (row: unknown, { lines }) => {
      const { record, raw } = row as ParsedRow;
      // fast path for single-line rows; searching for line breaks is expensive
      const breaks = lines === linesBefore + 1 ? [] : (shown(raw).match(/\r\n|[\r\n]/g) ?? []);
      linesBefore = lines;
      // the parser counts CRLF within quotes as two lines
      countedTwice += breaks.filter((mark) => mark === '\r\n').length;
      const line = lines - countedTwice - breaks.length + skippedLines;
      rows.push({ line, cells: record, text: () => shown(raw) });
      return null;
    },
    on_skip: (error, raw) => {
      // The parser cannot resynchronize after a row that is too long.
      if (error?.code === 'CSV_MAX_RECORD_SIZE') failed ??= rowTooLong(error, skippedLines);
      rows.push(badRecord(lineOf(error) + skippedLines, reasonOf(error), raw ?? ''));
      return undefined;
    },
  });
  parser.resume();
  for await (const chunk of chunks) {
    await written(parser, chunk);
    yield rows;
    rows = [];
    if (failed !== null) throw failed as TributaryError;
  }
  await ended(parser);
  yield rows;
  if (failed !== null) throw failed as TributaryError;
};

/** A row's text without its line end and the skipped empty lines before it. */
const shown = (raw: string): string => raw.replace(/^(?:[^\S\r\n]*(?:\r\n|[\r\n]))+/, '').trimEnd();

const written = (parser: Parser, chunk: Buffer): Promise<void> =>
  new Promise((resolve, reject) =>
    parser.write(chunk, (error) => (error ? reject(unreadable(error)) : resolve())),
  );

const ended = (parser: Parser): Promise<void> =>
  new Promise((resolve, reject) => {
    parser.once('error', (error) => reject(unreadable(error)));
    parser.once('end', resolve);
    parser.end();
  });

const lineOf = (error: CsvError | undefined): number =>
  typeof error?.['lines'] === 'number' ? error['lines'] : 0;

/** The parser's message without its rule name in front. */
const reasonOf = (error: CsvError | undefined): string =>
  (error?.message ?? 'not readable').replace(/^Invalid (?:Closing |Opening )?Quote: /, 'a quote that does not fit: '); // prettier-ignore

const rowTooLong = (error: CsvError, skippedLines: number): TributaryError =>
  new TributaryError(
    'INPUT_INVALID',
    `a row that ends after line ${String(lineOf(error) + skippedLines)} is too long: a quote before it may not be closed`,
  );

const unreadable = (cause: Error): TributaryError =>
  new TributaryError('INPUT_INVALID', `the text is not CSV: ${cause.message}`, { cause });

const delimiters = [',', ';', '\t', '|'] as const;
const maxHeaderBytes = 64 * 1024;

/** The beginning of a CSV file. */
export interface CsvStart {
  /** Its first line, or several if a quoted name spans lines. */
  readonly head: string;
  /** The delimiter from a first line `sep=;`, which spreadsheets write; `chunks` omits that line. */
  readonly delimiter: string | undefined;
  readonly skippedLines: 0 | 1;
  readonly chunks: AsyncIterable<Buffer>;
}

/** Reads until the header is complete, however small the chunks are. */
const csvStart = async (chunks: AsyncGenerator<Buffer>): Promise<CsvStart> => {
  let head: Buffer = Buffer.alloc(0);
  let complete = false;
  while (!complete && head.length < maxHeaderBytes) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
    complete = /[\r\n]\s*[^\s]/.test(head.toString());
  }
  const text = head.toString();
  const hint = /^sep=(.)\r?\n?/i.exec(text);
  const rest = hint === null ? head : head.subarray(Buffer.byteLength(hint[0]));
  const replay = async function* (): AsyncGenerator<Buffer> {
    if (rest.length > 0) yield rest;
    yield* chunks;
  };
  return {
    head: text.slice(hint?.[0].length ?? 0),
    delimiter: hint?.[1],
    skippedLines: hint === null ? 0 : 1,
    chunks: replay(),
  };
};

/** The most frequent delimiter in the first line, outside quotes; a comma if there is none. */
const delimiterOf = (text: string): string => {
  const unquoted = text.replace(/"(?:[^"]|"")*"/g, '""').trimStart();
  const header = unquoted.slice(0, unquoted.search(/[\r\n]|$/));
  const count = (delimiter: string): number => header.split(delimiter).length;
  return delimiters.reduce<string>((best, other) => (count(other) > count(best) ? other : best), ',');
};

const quote = 0x22;

/** Splits the rows of a CSV file as long as it has no quotes; the parser takes over at the first one. */
export interface UnquotedRows {
  /**
   * The rows completed by this chunk, to be consumed before the next; null if it has a quote or too long a row, which
   * the parser handles.
   */
  take(chunk: Buffer): Iterable<TableRow> | null;
  /** The bytes of an incomplete row. */
  readonly held: () => Buffer;
  /** The remaining rows, at the end of the file. */
  end(): Iterable<TableRow>;
  /** Lines consumed so far. */
  readonly lines: () => number;
  /** The record separator; undefined before the first. */
  readonly ending: () => string | undefined;
}

/**
 * Without quotes, rows are lines and cells the trimmed text between delimiters. Same result as the parser, at a fifth
 * of its cost.
 * @param skippedLines lines of the file before the first chunk
 */
const unquotedRows = (delimiter: string, maxRecordBytes: number, skippedLines: number): UnquotedRows => {
  let held: Buffer = Buffer.alloc(0);
  let lines = 0;
  let ending: string | undefined;
  // generated lazily, so that few are in memory at a time
  const rowsOf = function* (texts: readonly string[]): Generator<TableRow> {
    for (const text of texts) {
      lines += 1;
      if (text === '') continue;
      const cells = text.split(delimiter);
      for (let at = 0; at < cells.length; at += 1) cells[at] = cells[at]!.trim();
      yield { line: lines + skippedLines, cells, text: () => text.trimEnd() };
    }
  };
  return {
    take: (chunk) => {
      if (chunk.includes(quote)) return null;
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      ending ??= endingIn(bytes);
      const end = ending === undefined ? -1 : bytes.lastIndexOf(ending);
      if (bytes.length - end > maxRecordBytes) return null;
      if (ending === undefined || end < 0) {
        held = Buffer.from(bytes);
        return [];
      }
      held = Buffer.from(bytes.subarray(end + ending.length));
      return rowsOf(bytes.toString('utf8', 0, end).split(ending));
    },
    held: () => held,
    end: () => (held.length === 0 ? [] : rowsOf([held.toString()])),
    lines: () => lines,
    ending: () => ending,
  };
};

/** Determined by the first line end; a CR at the very end of a chunk may be half of a CRLF. */
const endingIn = (bytes: Buffer): string | undefined => {
  const newline = bytes.indexOf('\n');
  const carriageReturn = bytes.indexOf('\r');
  if (carriageReturn < 0 || (newline >= 0 && newline < carriageReturn)) return newline < 0 ? undefined : '\n';
  if (newline === carriageReturn + 1) return '\r\n';
  return carriageReturn === bytes.length - 1 ? undefined : '\r';
};
