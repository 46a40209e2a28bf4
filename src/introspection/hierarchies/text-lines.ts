/** A line of a text, without its end. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** How many bytes are decoded at a time. */
const blockBytes = 1 << 16;

/** The lines of a UTF-8 text, which end in LF, CRLF or, if it has no LF at all, CR. */
export function* linesOf(bytes: Buffer): Generator<Line> {
  const ending = bytes.includes(10) ? 10 : 13;
  let number = 0;
  for (let start = 0; start < bytes.length;) {
    const lineEnd = bytes.indexOf(ending, Math.min(start + blockBytes, bytes.length));
    const end = lineEnd < 0 ? bytes.length : lineEnd;
    for (const text of bytes.toString('utf8', start, end).split(ending === 10 ? '\n' : '\r'))
      yield { number: ++number, text: text.endsWith('\r') ? text.slice(0, -1) : text };
    start = end + 1;
  }
}
