const delimiters = [',', ';', '\t', '|'] as const;
/** Longer than any real header. */
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

/** The most frequent delimiter in the first line, outside quotes; a comma if there is none. */
export const delimiterOf = (text: string): string => {
  const unquoted = text.replace(/"(?:[^"]|"")*"/g, '""').trimStart();
  const header = unquoted.slice(0, unquoted.search(/[\r\n]|$/));
  const count = (delimiter: string): number => header.split(delimiter).length;
  return delimiters.reduce<string>((best, other) => (count(other) > count(best) ? other : best), ',');
};
