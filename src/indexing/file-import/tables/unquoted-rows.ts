import type { TableRow } from './columns.ts';

/** Splits the rows of a CSV file as long as it has no quotes; the parser takes over at the first one. */
interface UnquotedRows {
  /**
   * The rows completed by this chunk, to be consumed before the next; null for too long a row.
   */
  take(chunk: Buffer): Iterable<TableRow> | null;
  /** The bytes of an incomplete row. */
  readonly held: () => Buffer;
  /** The remaining rows, at the end of the file. */
  end(): Iterable<TableRow>;
  /** Lines consumed so far. */
  readonly lines: () => number;
  /** The end of lines, of CRLF its last character; undefined before the first. */
  readonly ending: () => '\n' | '\r' | undefined;
}

/**
 * Without quotes, rows are lines and cells the trimmed text between delimiters. Same result as the parser, at a fifth
 * of its cost. Lines that end in LF and in CRLF may be mixed.
 * @param skippedLines lines of the file before the first chunk
 */
export const unquotedRows = (
  delimiter: string,
  maxRecordBytes: number,
  skippedLines: number,
): UnquotedRows => {
  let held: Buffer = Buffer.alloc(0);
  let lines = 0;
  let ending: '\n' | '\r' | undefined;
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
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      ending ??= endingIn(bytes);
      const end = ending === undefined ? -1 : bytes.lastIndexOf(ending);
      if (bytes.length - end > maxRecordBytes) return null;
      if (ending === undefined || end < 0) {
        held = Buffer.from(bytes);
        return [];
      }
      held = Buffer.from(bytes.subarray(end + 1));
      return rowsOf(bytes.toString('utf8', 0, end).split(ending));
    },
    held: () => held,
    end: () => (held.length === 0 ? [] : rowsOf([held.toString()])),
    lines: () => lines,
    ending: () => ending,
  };
};

/** Determined by the first line end; a CR at the very end of a chunk may be half of a CRLF. */
const endingIn = (bytes: Buffer): '\n' | '\r' | undefined => {
  const newline = bytes.indexOf('\n');
  const carriageReturn = bytes.indexOf('\r');
  if (newline >= 0 && (carriageReturn < 0 || newline <= carriageReturn + 1)) return '\n';
  return carriageReturn < 0 || carriageReturn === bytes.length - 1 ? undefined : '\r';
};
