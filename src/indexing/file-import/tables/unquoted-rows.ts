import type { TableRow } from './columns.ts';

const quote = 0x22;

/** Takes the rows of a CSV file apart as long as it has no quotes; the parser takes over where the first one is. */
export interface UnquotedRows {
  /** The rows that are complete with this chunk, to be taken before the next one; null when it has a quote, or a row too long: the parser's to say. */
  take(chunk: Buffer): Iterable<TableRow> | null;
  /** What is held of a row that is not complete. */
  readonly held: () => Buffer;
  /** The rows of what is held, at the end of the file. */
  end(): Iterable<TableRow>;
  /** Lines taken so far. */
  readonly lines: () => number;
  /** What ends a record; undefined before the first. */
  readonly ending: () => string | undefined;
}

/**
 * Without quotes, rows are lines and cells what stands between delimiters, trimmed. It is the same that the parser gives,
 * at a fifth of its cost.
 * @param skippedLines lines of the file before the first chunk
 */
export const unquotedRows = (
  delimiter: string,
  maxRecordBytes: number,
  skippedLines: number,
): UnquotedRows => {
  let held: Buffer = Buffer.alloc(0);
  let lines = 0;
  let ending: string | undefined;
  // made one by one as they are asked for, so that few are in memory at a time
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

/** The first line end tells; a return at the very end of a chunk may be the half of one. */
const endingIn = (bytes: Buffer): string | undefined => {
  const newline = bytes.indexOf('\n');
  const carriageReturn = bytes.indexOf('\r');
  if (carriageReturn < 0 || (newline >= 0 && newline < carriageReturn)) return newline < 0 ? undefined : '\n';
  if (newline === carriageReturn + 1) return '\r\n';
  return carriageReturn === bytes.length - 1 ? undefined : '\r';
};
