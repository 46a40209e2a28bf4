import { invalidInput, type TributaryError } from '../../../lib/errors/errors.ts';
import { badRecord, zeroByte, type BadRecord } from '../records/source-record.ts';
import { unlessBlank, type TableRow } from './columns.ts';
import { maxQuotedLines } from './quoting.ts';
import { plural } from '../../../lib/text/plural.ts';

/** How the rows of a text are separated. */
interface RowLayout {
  readonly delimiter: string;
  readonly maxRecordBytes: number;
  /** Lines of the file before the first chunk. */
  readonly skippedLines: number;
  /** The prefix of lines outside quotes that are not rows. */
  readonly comment: string | undefined;
  /** Whether the caller declares that quotes enclose cells, with any number of lines. */
  readonly surelyQuoted: boolean;
  /** Called for each row with a cell such as `="007"`. */
  readonly onFormulaText: () => void;
}

/** Splits a text into rows, chunk by chunk. */
interface RowSplitter {
  /**
   * The rows completed by this chunk, to be consumed before the next.
   * @param quoted whether quotes enclose cells
   * @throws TributaryError INPUT_INVALID a row that is too long, or has too many lines
   */
  take(chunk: Buffer, quoted: boolean): Iterable<TableRow | BadRecord>;
  /** The bytes of an incomplete line. */
  readonly held: () => Buffer;
  /**
   * The remaining rows, at the end of the file.
   * @throws TributaryError INPUT_INVALID a quote that is not closed
   */
  end(quoted: boolean): Iterable<TableRow | BadRecord>;
  /** Lines consumed so far. */
  readonly lines: () => number;
}

/**
 * A cell that begins with a quote ends with the next quote that is not doubled, on any later line, and is empty if it only
 * has spaces; other cells are the trimmed text up to the delimiter, including quotes. Line ends LF and CRLF may be mixed.
 * A row whose quotes do not fit is bad, up to the end of the line that shows it.
 */
export const rowSplitter = (layout: RowLayout): RowSplitter => {
  const { delimiter, maxRecordBytes, skippedLines, comment } = layout;
  let held: Buffer = Buffer.alloc(0);
  let lines = 0;
  let ending: '\n' | '\r' | undefined;
  let open: QuotedRow | null = null;
  let hasZeros = false;
  const openLine = (): number => lines + skippedLines - (open?.lines.length ?? 0) + 1;
  const quotedRow = (text: string): TableRow | BadRecord | null => {
    const row: QuotedRow = (open ??= { cells: [], part: null, lines: [], length: 0 });
    row.lines.push(text);
    row.length += text.length;
    if (row.length > maxRecordBytes) throw rowTooLong(openLine(), ': a quote in it may not be closed');
    const state = readLine(row, text, delimiter, ending ?? '\n');
    if (state === 'open') return null;
    const line = openLine();
    open = null;
    const shown = row.lines.join(ending).trimEnd();
    if (shown.includes('\0')) return badRecord(line, zeroByte, shown);
    if (state === 'misfit')
      return badRecord(
        line,
        'a quote that does not fit: text follows the closing quote of a cell (a quote inside a quoted cell is written twice)',
        shown,
      );
    rejectSwallowed(row, line, layout);
    if (row.cells.some(isFormulaText)) layout.onFormulaText();
    return { line, cells: row.cells.map(withoutFormula), text: () => shown };
  };
  // generated lazily, so that few are in memory at a time
  const rowsOf = function* (texts: readonly string[], quoted: boolean): Generator<TableRow | BadRecord> {
    for (const text of texts) {
      lines += 1;
      if (open === null && (text === '' || (comment !== undefined && text.startsWith(comment)))) continue;
      if (open !== null || (quoted && text.includes('"'))) {
        const row = quotedRow(text);
        if (row !== null) yield row;
        continue;
      }
      if (hasZeros && text.includes('\0')) {
        yield badRecord(lines + skippedLines, zeroByte, text);
        continue;
      }
      const cells = text.split(delimiter);
      for (let at = 0; at < cells.length; at += 1) cells[at] = cells[at]!.trim();
      yield { line: lines + skippedLines, cells, text: () => text.trimEnd() };
    }
  };
  const end = function* (quoted: boolean): Generator<TableRow | BadRecord> {
    if (held.length > 0) yield* rowsOf([held.toString()], quoted);
    if (open !== null) throw openQuote(openLine(), null);
  };
  return {
    take: (chunk, quoted) => {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      ending ??= endingIn(bytes);
      hasZeros ||= chunk.includes(0);
      const last = ending === undefined ? -1 : bytes.lastIndexOf(ending);
      if (bytes.length - last > maxRecordBytes) throw rowTooLong(lines + skippedLines + 1, '');
      held = Buffer.from(bytes.subarray(last + 1));
      return ending === undefined || last < 0
        ? []
        : rowsOf(bytes.toString('utf8', 0, last).split(ending), quoted);
    },
    held: () => held,
    end,
    lines: () => lines,
  };
};

/** A row with quotes, as far as it has been read. */
interface QuotedRow {
  readonly cells: string[];
  /** The quoted cell that is not closed yet. */
  part: string | null;
  readonly lines: string[];
  /** The total length of the lines, in characters. */
  length: number;
}

/** Reads another line of a row: whether its last cell is still open, or text follows a closing quote. */
const readLine = (row: QuotedRow, line: string, delimiter: string, ending: string) => {
  let at = 0;
  for (;;) {
    if (row.part !== null) {
      const close = closingQuote(line, at);
      if (close < 0) {
        row.part += line.slice(at) + ending;
        return 'open';
      }
      row.cells.push(unlessBlank((row.part + line.slice(at, close)).replaceAll('""', '"')));
      row.part = null;
      at = afterSpaces(line, close + 1, delimiter);
      if (at === line.length) return 'complete';
      if (!line.startsWith(delimiter, at)) return 'misfit';
      at += delimiter.length;
    }
    const begin = afterSpaces(line, at, delimiter);
    if (line[begin] === '"') {
      row.part = '';
      at = begin + 1;
      continue;
    }
    const end = line.indexOf(delimiter, at);
    row.cells.push(line.slice(at, end < 0 ? undefined : end).trim());
    if (end < 0) return 'complete';
    at = end + delimiter.length;
  }
};

const closingQuote = (line: string, from: number): number => {
  let at = line.indexOf('"', from);
  while (at >= 0 && line[at + 1] === '"') at = line.indexOf('"', at + 2);
  return at;
};

const afterSpaces = (line: string, from: number, delimiter: string): number => {
  let at = from;
  while (at < line.length && !line.startsWith(delimiter, at) && line[at]!.trim() === '') at += 1;
  return at;
};

const formulaText = /^="([^"]*)"$/;

/** Whether a cell is a formula for a text, with which spreadsheets keep leading zeros. */
const isFormulaText = (cell: string): boolean => cell.startsWith('="') && formulaText.test(cell);

const withoutFormula = (cell: string): string =>
  isFormulaText(cell) ? cell.replace(formulaText, '$1') : cell;

/** @throws TributaryError INPUT_INVALID a row that seems to contain other rows */
const rejectSwallowed = (row: QuotedRow, line: number, { delimiter, surelyQuoted }: RowLayout): void => {
  const breaks = row.lines.length - 1;
  // the quote belongs to a title
  const swallows =
    breaks > 0 && delimiter === '\t' && row.cells.some((cell) => cell.includes('\t') && /[\r\n]/.test(cell));
  if (!surelyQuoted && (breaks > maxQuotedLines || swallows)) throw openQuote(line, breaks);
};

const openQuote = (line: number, breaks: number | null): TributaryError => {
  const problem =
    breaks === null
      ? 'is never closed'
      : `takes ${String(breaks)} more ${plural(breaks, 'line')} into its row`;
  const choice = breaks === null ? '' : `, or --quote '"' if the row is as long as that`;
  return invalidInput(
    `a quote in line ${String(line)} ${problem}: close it, or load with --quote none, which reads quotes as text${choice}`,
  );
};

const rowTooLong = (line: number, hint: string): TributaryError =>
  invalidInput(`the row that begins in line ${String(line)} is too long${hint}`);

/** Decided by the first line end; a CR at the very end of a chunk may be half of a CRLF. */
const endingIn = (bytes: Buffer): '\n' | '\r' | undefined => {
  const newline = bytes.indexOf('\n');
  const carriageReturn = bytes.indexOf('\r');
  if (newline >= 0 && (carriageReturn < 0 || newline <= carriageReturn + 1)) return '\n';
  return carriageReturn < 0 || carriageReturn === bytes.length - 1 ? undefined : '\r';
};
