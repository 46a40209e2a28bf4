import type { JsonObject } from '../../../lib/json/json.ts';
import { checkedUtf8 } from '../records/decode-text.ts';
import { plainReading, type ReadingOptions, type SourceRecord } from '../records/source-record.ts';
import { csvStart, delimiterOf, maxHeaderBytes, rejectAmbiguity, trimmed, widthOf } from './csv-start.ts';
import { findQuoting } from './quoting.ts';
import { readTable, type TableBatch, type TableLayout } from './read-table.ts';
import { rowSplitter } from './split-rows.ts';

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
): AsyncGenerator<SourceRecord> => {
  const layout: TableLayout = { delimiter: null };
  return readTable(rowsOf(chunks, maxRecordBytes, reading, layout), properties, reading, layout);
};

/** The rows of each chunk. */
const rowsOf = async function* (
  chunks: AsyncIterable<Buffer>,
  maxRecordBytes: number,
  reading: ReadingOptions,
  layout: TableLayout,
): AsyncGenerator<TableBatch> {
  const { delimiter: separator, quotes, onNotice, comment } = reading;
  const start = await csvStart(checkedUtf8(chunks), reading);
  const delimiter = separator ?? start.delimiter ?? delimiterOf(start.head);
  if (separator === undefined && start.delimiter === undefined) rejectAmbiguity(start.head, delimiter);
  layout.delimiter = delimiter;
  yield start.comments.map((text, at) => ({
    line: start.commentsFrom + at,
    cells: text.split(delimiter).map(trimmed),
    text: () => text,
  }));
  let hasFormulas = false;
  const rows = rowSplitter({
    delimiter,
    maxRecordBytes,
    skippedLines: start.skippedLines,
    comment,
    surelyQuoted: quotes === true,
    onFormulaText: () => (hasFormulas = true),
  });
  const rest = start.chunks[Symbol.asyncIterator]();
  let [quoted, isKnown] = [quotes !== false, quotes !== undefined || delimiter !== '\t'];
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    let chunk = next.value;
    if (!isKnown && chunk.includes('"')) {
      chunk = await lookAhead(chunk, rest);
      const bytes = Buffer.concat([rows.held(), chunk]);
      const found = findQuoting(wholeLines(bytes), delimiter, widthOf(start.head, delimiter));
      [quoted, isKnown] = [found.quoted, true];
      const line = start.skippedLines + rows.lines() + 1 + (found.misfit ?? 0);
      onNotice?.(quoteNotice(found.quoted, line));
    }
    yield rows.take(chunk, quoted);
  }
  yield rows.end(quoted);
  if (hasFormulas)
    onNotice?.('cells such as ="007" are loaded as the text that a spreadsheet shows for them');
};

const quoteNotice = (quoted: boolean, line: number): string =>
  quoted
    ? 'quotes around cells are not part of their values (--quote none keeps them)'
    : `quotes are read as text, since those in line ${String(line)} do not enclose a cell (--quote '"' reads them as the edges of cells)`;

/** The chunk with the text after it, as far as it is needed to decide about quotes. */
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
