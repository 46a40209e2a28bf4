const delimiters = [',', ';', '\t', '|'] as const;
/** A header is shorter, whatever it holds. */
const maxHeaderBytes = 64 * 1024;

/** The beginning of a CSV file. */
export interface CsvStart {
  /** Its first line, or lines when a quoted name has several. */
  readonly head: string;
  /** What a first line `sep=;`, which spreadsheets write, says; that line is left out of `chunks`. */
  readonly delimiter: string | undefined;
  readonly skippedLines: 0 | 1;
  readonly chunks: AsyncIterable<Buffer>;
}

/** Reads until the header is complete, however small the chunks are. */
export const csvStart = async (chunks: AsyncGenerator<Buffer>): Promise<CsvStart> => {
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

/** The delimiter that the first line has most of, outside its quotes; a comma when it has none. */
export const delimiterOf = (text: string): string => {
  const unquoted = text.replace(/"(?:[^"]|"")*"/g, '""').trimStart();
  const header = unquoted.slice(0, unquoted.search(/[\r\n]|$/));
  const count = (delimiter: string): number => header.split(delimiter).length;
  return delimiters.reduce<string>((best, other) => (count(other) > count(best) ? other : best), ',');
};
