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
import { findQuoting, maxQuotedLines } from './quoting.ts';
import { unquotedRows } from './unquoted-rows.ts';

/**
 * CSV with a header line; separated by comma, semicolon, tab or bar, whichever is most frequent in the header, or as
 * `reading` requests. Unquoted cells are trimmed.
 * @throws TributaryError INPUT_INVALID a header without fields, text that is not UTF-8, a row longer than
 *   `maxRecordBytes`, a quote that is not closed within 20 lines
 */
export const readCsv = (
  chunks: AsyncIterable<Buffer>,
  maxRecordBytes: number,
  properties: JsonObject | null,
  reading: ReadingOptions = plainReading,
): AsyncGenerator<SourceRecord> => readTable(rowsOf(chunks, maxRecordBytes, reading), properties, reading);

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
  /** Whether the caller says that quotes enclose cells, of any number of lines. */
  readonly surelyQuoted: boolean;
}

/** The rows of each chunk; the parser is used only from the first quote on. */
const rowsOf = async function* (
  chunks: AsyncIterable<Buffer>,
  maxRecordBytes: number,
  { delimiter: separator, quotes, onNotice }: ReadingOptions,
): AsyncGenerator<TableBatch> {
  const start = await csvStart(checkedUtf8(chunks));
  const delimiter = separator ?? start.delimiter ?? delimiterOf(start.head);
  const unquoted = unquotedRows(delimiter, maxRecordBytes, start.skippedLines);
  const rest = start.chunks[Symbol.asyncIterator]();
  let [quotesMatter, isKnown] = [quotes !== false, quotes !== undefined || delimiter !== '\t'];
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    let chunk = next.value;
    if (!isKnown && chunk.includes(quote)) {
      chunk = await lookAhead(chunk, rest);
      const bytes = Buffer.concat([unquoted.held(), chunk]);
      const found = findQuoting(wholeLines(bytes), delimiter, firstLine(start.head).split(delimiter).length);
      [quotesMatter, isKnown] = [found.quoted, true];
      const line = start.skippedLines + unquoted.lines() + 1 + (found.misfit ?? 0);
      onNotice?.(quoteNotice(found.quoted, line));
    }
    const rows = quotesMatter && chunk.includes(quote) ? null : unquoted.take(chunk);
    if (rows === null) {
      const skippedLines = start.skippedLines + unquoted.lines();
      if (!quotesMatter) throw rowTooLong(skippedLines + 1, '');
      const layout = { delimiter, maxRecordBytes, skippedLines, ending: unquoted.ending(), surelyQuoted: quotes === true }; // prettier-ignore
      yield* parsedRows(following(Buffer.concat([unquoted.held(), chunk]), rest), layout);
      return;
    }
    yield rows;
  }
  yield unquoted.end();
};

const quoteNotice = (quoted: boolean, line: number): string =>
  quoted
    ? 'quotes around cells are not part of their values (--quote none keeps them)'
    : `quotes are read as text, since those in line ${String(line)} do not enclose a cell (--quote '"' reads them as the edges of cells)`;

/** The chunk with what follows, as much as is looked at for quotes. */
const lookAhead = async (chunk: Buffer, rest: AsyncIterator<Buffer>): Promise<Buffer> => {
  const taken = [chunk];
  for (let bytes = chunk.length; bytes < maxHeaderBytes; bytes += taken.at(-1)!.length) {
    const next = await rest.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return Buffer.concat(taken);
};

const wholeLines = (bytes: Buffer): readonly string[] => {
  const lines = bytes.toString().split(/\r\n|[\r\n]/);
  return bytes.length < maxHeaderBytes ? lines : lines.slice(0, -1);
};

const following = async function* (first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
};

/** The rows of each chunk, including bad records for unreadable rows, after which reading continues. */
const parsedRows = async function* (
  chunks: AsyncIterable<Buffer>,
  { delimiter, maxRecordBytes, skippedLines, ending, surelyQuoted }: Layout,
): AsyncGenerator<TableBatch> {
  let rows: (TableRow | BadRecord)[] = [];
  let countedTwice = 0;
  let linesBefore = 0;
  let nextLine = skippedLines + 1;
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
      const breaks = lines === linesBefore + 1 ? [] : (shown(raw).match(lineEnds) ?? []);
      linesBefore = lines;
      // the parser counts CRLF within quotes as two lines
      countedTwice += breaks.filter((mark) => mark === '\r\n').length;
      const line = lines - countedTwice - breaks.length + skippedLines;
      nextLine = line + breaks.length + 1;
      if (
        !surelyQuoted &&
        (breaks.length > maxQuotedLines ||
          (breaks.length > 0 && delimiter === '\t' && record.some(swallowsRows)))
      )
        failed ??= openQuote(line, breaks.length);
      rows.push({ line, cells: record, text: () => shown(raw) });
      return null;
    },
    on_skip: (error, raw) => {
      const began = nextLine + blankLinesBefore(raw ?? '');
      // The parser cannot resynchronize after a row that is too long.
      if (error?.code === 'CSV_MAX_RECORD_SIZE')
        failed ??= rowTooLong(began, ': a quote in it may not be closed');
      if (error?.code === 'CSV_QUOTE_NOT_CLOSED') failed ??= openQuote(began, null);
      nextLine = lineOf(error) + skippedLines + 1;
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

const lineEnds = /\r\n|[\r\n]/g;
const leadingBlankLines = /^(?:[^\S\r\n]*(?:\r\n|[\r\n]))+/;

/** A row's text without its line end and the skipped empty lines before it. */
const shown = (raw: string): string => raw.replace(leadingBlankLines, '').trimEnd();

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

const reasonOf = (error: CsvError | undefined): string => {
  if (error?.code === 'CSV_INVALID_CLOSING_QUOTE')
    return 'a quote that does not fit: text follows the closing quote of a cell (a quote inside a quoted cell is written twice)'; // prettier-ignore
  if (error?.code === 'INVALID_OPENING_QUOTE')
    return 'a quote that does not fit: it is inside a cell that does not begin with one (--quote none reads quotes as text)'; // prettier-ignore
  return 'not readable';
};

/** Whether a cell of several lines has delimiters in it, as where a quote belongs to a title. */
const swallowsRows = (cell: string): boolean => cell.includes('\t') && /[\r\n]/.test(cell);

/** Empty lines in front of a row's text. */
const blankLinesBefore = (raw: string): number =>
  (leadingBlankLines.exec(raw)?.[0].match(lineEnds) ?? []).length;

const openQuote = (line: number, breaks: number | null): TributaryError => {
  const problem =
    breaks === null
      ? 'is never closed'
      : `takes ${String(breaks)} more ${breaks === 1 ? 'line' : 'lines'} into its row`;
  const choice = breaks === null ? '' : `, or --quote '"' if the row is as long as that`;
  return new TributaryError('INPUT_INVALID', `a quote in line ${String(line)} ${problem}: close it, or load with --quote none, which reads quotes as text${choice}`); // prettier-ignore
};

const rowTooLong = (line: number, hint: string): TributaryError =>
  new TributaryError('INPUT_INVALID', `the row that begins in line ${String(line)} is too long${hint}`);

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
  const header = firstLine(unquoted);
  const count = (delimiter: string): number => header.split(delimiter).length;
  return delimiters.reduce<string>((best, other) => (count(other) > count(best) ? other : best), ',');
};

const firstLine = (text: string): string => text.slice(0, text.search(/[\r\n]|$/));

const quote = 0x22;
