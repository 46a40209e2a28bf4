const newline = 0x0a;
const carriageReturn = 0x0d;

export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without the line end; null for a line that is too long, whose bytes are discarded. */
  readonly bytes: Buffer | null;
}

/**
 * The lines of a byte stream. At most `maxBytes` of a line are held in memory; a longer line is skipped and yielded as
 * null, so that a missing line end cannot exhaust memory.
 */
export const splitLines = async function* (
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Line> {
  let number = 1;
  let held: Buffer[] = [];
  let heldBytes = 0;
  const hold = (part: Buffer): void => {
    heldBytes += part.length;
    if (heldBytes <= maxBytes + 1) held.push(part);
    else held = [];
  };
  const release = (): Line => {
    const bytes = heldBytes > maxBytes + 1 ? null : withoutReturn(Buffer.concat(held));
    held = [];
    heldBytes = 0;
    return { number: number++, bytes: bytes !== null && bytes.length > maxBytes ? null : bytes };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      hold(chunk.subarray(start, end));
      yield release();
      start = end + 1;
    }
    if (start < chunk.length) hold(chunk.subarray(start));
  }
  if (heldBytes > 0) yield release();
};

const withoutReturn = (line: Buffer): Buffer =>
  line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
