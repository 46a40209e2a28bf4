import type { CsvError, Parser } from 'csv-parse';
import { parse } from 'csv-parse';
import { TributaryError } from '../../../errors/errors.ts';
import type { JsonObject } from '../../../json/json.ts';
import { checkedUtf8 } from '../records/decode-text.ts';
import type { ReadingOptions, BadRecord, SourceRecord } from '../records/source-record.ts';
import { plainReading, badRecord } from '../records/source-record.ts';
import type { TableRow } from './columns.ts';
import type { TableBatch } from './read-table.ts';
import { firstLineOf, readTable } from './read-table.ts';
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
  /** The end of lines; undefined: detected from the first record. */
  readonly ending: '\n' | '\r' | undefined;
  /** Whether the caller says that quotes enclose cells, of any number of lines. */
  readonly surelyQuoted: boolean;
  readonly comment: string | undefined;
}

/** The rows of each chunk; the parser is used only from the first quote on. */
const rowsOf = async function* (
  chunks: AsyncIterable<Buffer>,
  maxRecordBytes: number,
  reading: ReadingOptions,
): AsyncGenerator<TableBatch> {
  const { delimiter: separator, quotes, onNotice, comment } = reading;
  const start = await csvStart(checkedUtf8(chunks), reading);
  const delimiter = separator ?? start.delimiter ?? delimiterOf(start.head);
  yield start.comments.map((text, at) => ({ line: start.commentsFrom + at, cells: text.split(delimiter).map(trimmed), text: () => text })); // prettier-ignore
  const unquoted = unquotedRows(delimiter, maxRecordBytes, start.skippedLines);
  const rest = start.chunks[Symbol.asyncIterator]();
  let [quotesMatter, isKnown] = [quotes !== false, quotes !== undefined || delimiter !== '\t'];
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    let chunk = next.value;
    if (!isKnown && chunk.includes(quote)) {
      chunk = await lookAhead(chunk, rest);
      const bytes = Buffer.concat([unquoted.held(), chunk]);
      const found = findQuoting(wholeLines(bytes), delimiter, widthOf(start.head, delimiter));
      [quotesMatter, isKnown] = [found.quoted, true];
      const line = start.skippedLines + unquoted.lines() + 1 + (found.misfit ?? 0);
      onNotice?.(quoteNotice(found.quoted, line));
    }
    const rows = quotesMatter && chunk.includes(quote) ? null : unquoted.take(chunk);
    if (rows === null) {
      const skippedLines = start.skippedLines + unquoted.lines();
      if (!quotesMatter) throw rowTooLong(skippedLines + 1, '');
      const layout = { delimiter, maxRecordBytes, skippedLines, ending: unquoted.ending() ?? (chunk.includes('\n') ? '\n' : undefined), surelyQuoted: quotes === true, comment }; // prettier-ignore
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
  { delimiter, maxRecordBytes, skippedLines, ending, surelyQuoted, comment }: Layout,
): AsyncGenerator<TableBatch> {
  const shown = shownBelow(comment);
  let rows: (TableRow | BadRecord)[] = [];
  let countedTwice = 0;
  let linesBefore = 0;
  let nextLine = skippedLines + 1;
  let failed: TributaryError | null = null;
  const parser = parse({
    delimiter,
    ...(ending !== undefined && { record_delimiter: ending === '\n' ? ['\r\n', '\n'] : ending }),
    raw: true,
    trim: true,
    max_record_size: maxRecordBytes,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    ...(comment !== undefined && { comment, comment_no_infix: true }),
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

/** A row's text without its line end and the skipped empty lines and comments before it. */
const shownBelow =
  (comment: string | undefined) =>
  (raw: string): string => {
    const text = raw.replace(leadingBlankLines, '').trimEnd();
    const end = comment !== undefined && text.startsWith(comment) ? text.search(/[\r\n]/) : -1;
    return end < 0 ? text : shownBelow(comment)(text.slice(end));
  };

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
  new TributaryError('INPUT_INVALID', 'the text cannot be read as CSV: save it as CSV UTF-8 again', {
    cause,
  });

const delimiters = [',', ';', '\t', '|'] as const;
const maxHeaderBytes = 64 * 1024;

const quote = 0x22;

/** The beginning of a CSV file. */
interface CsvStart {
  /** The first lines that are read, as far as they were looked at. */
  readonly head: string;
  /** The delimiter from a first line `sep=;`, which spreadsheets write. */
  readonly delimiter: string | undefined;
  /** Comments above the header. */
  readonly comments: readonly string[];
  readonly commentsFrom: number;
  /** Lines that `chunks` omits. */
  readonly skippedLines: number;
  readonly chunks: AsyncIterable<Buffer>;
}

/** Reads the beginning, however small the chunks are, without lines to skip and comments: quotes mean nothing there. */
const csvStart = async (chunks: AsyncGenerator<Buffer>, reading: ReadingOptions): Promise<CsvStart> => {
  const taken: Buffer[] = [];
  for (let bytes = 0; bytes < maxHeaderBytes; bytes += taken.at(-1)!.length) {
    const next = await chunks.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  const head = Buffer.concat(taken);
  const text = head.subarray(0, maxHeaderBytes).toString();
  const hint = /^sep=(.)(?:\r\n?|\n|$)/i.exec(text);
  const skipped = leadingLines(text, Math.max(hint === null ? 0 : 1, firstLineOf(reading) - 1));
  const comments = commentsIn(text.slice(skipped.length), reading);
  const omitted = skipped.length + comments.length;
  const skippedLines = countLines(skipped) + countLines(comments);
  const rest = head.subarray(Buffer.byteLength(text.slice(0, omitted)));
  const replay = async function* (): AsyncGenerator<Buffer> {
    if (rest.length > 0) yield rest;
    yield* chunks;
  };
  return {
    head: text.slice(omitted),
    delimiter: hint?.[1],
    comments: comments === '' ? [] : comments.replace(/(?:\r\n?|\n)$/, '').split(/\r\n?|\n/),
    commentsFrom: countLines(skipped) + 1,
    skippedLines,
    chunks: replay(),
  };
};

const countLines = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0;

const leadingLines = (text: string, count: number): string => {
  const line = /[^\r\n]*(?:\r\n?|\n)/y;
  for (let left = count; left > 0; left -= 1) if (!line.test(text)) return text.slice(0, line.lastIndex);
  return text.slice(0, line.lastIndex);
};

/** The lines above the header that begin with the comment's sign; a single one may be the header. */
const commentsIn = (text: string, { comment, header }: ReadingOptions): string => {
  if (typeof header === 'object') return '';
  const sign = comment ?? '#';
  const line = /([^\r\n]*)(?:\r\n?|\n)/y;
  let end = 0;
  for (let found = line.exec(text); found?.[1]!.startsWith(sign) === true; found = line.exec(text)) end = line.lastIndex; // prettier-ignore
  const comments = text.slice(0, end);
  return comment === undefined && countLines(comments) < 2 ? '' : comments;
};

const trimmed = (cell: string): string => cell.trim().replace(/^"(.*)"$/, '$1');

const looked = 50;

const firstLines = (text: string): readonly string[] => {
  const lines = text.replace(/"(?:[^"]|"")*"/g, '""').split(/\r\n?|\n/).filter((line) => line.trim() !== ''); // prettier-ignore
  return lines.slice(0, looked);
};

/** The cells of most lines. */
const widthOf = (text: string, delimiter: string): number =>
  usual(firstLines(text).map((line) => line.split(delimiter).length));

const usual = (counts: readonly number[]): number => {
  const often = (count: number): number => counts.filter((one) => one === count).length;
  return counts.reduce((best, count) => (often(count) > often(best) ? count : best), counts[0] ?? 0);
};

/**
 * The most frequent delimiter in the first line, outside quotes, unless most other lines are without it and another
 * delimiter separates them evenly, as below a title; a comma if there is none.
 */
const delimiterOf = (text: string): string => {
  const lines = firstLines(text);
  // R's write.table puts spaces between quoted names
  if (/^""(?: "")+$/.test(lines[0] ?? '')) return ' ';
  const counts = (delimiter: string): readonly number[] => lines.map((line) => line.split(delimiter).length);
  // texts hardly have tabs, but cells between tabs have commas
  const tabs = counts('\t');
  if (tabs.length > 1 && tabs[0]! > 1 && tabs.every((count) => count === tabs[0])) return '\t';
  const first = (delimiter: string): number => counts(delimiter)[0] ?? 0;
  const best = delimiters.reduce<string>((one, other) => (first(other) > first(one) ? other : one), ',');
  if (first(best) > 1 && (lines.length < 2 || usual(counts(best).slice(1)) > 1)) return best;
  const even = delimiters.filter((delimiter) => isEven(counts(delimiter)));
  if (even.length === 0) return best;
  return even.reduce((one, other) => (usual(counts(other)) > usual(counts(one)) ? other : one));
};

/** Whether nearly all lines from the first with this many cells on have as many, and most lines of all. */
const isEven = (counts: readonly number[]): boolean => {
  const width = usual(counts.filter((count) => count > 1));
  const alike = counts.filter((count) => count === width).length;
  return width > 1 && alike * 5 >= (counts.length - counts.indexOf(width)) * 4 && alike * 2 >= counts.length;
};
