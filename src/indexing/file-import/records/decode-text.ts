import { isUtf8 } from 'node:buffer';
import { invalidInput, type TributaryError } from '../../../lib/errors/errors.ts';
import { collectBytes } from '../../../lib/net/bodies.ts';
import { zeroByte } from './source-record.ts';

/**
 * The text of a UTF-8 byte stream, without a byte order mark.
 * @throws TributaryError INPUT_INVALID bytes that are not UTF-8, quoting the text before them; a zero byte, with its line
 */
export const decodeText = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let line = 1;
  for await (const chunk of checkedUtf8(chunks)) {
    const zero = chunk.indexOf(0);
    line += linesIn(zero < 0 ? chunk : chunk.subarray(0, zero));
    if (zero >= 0) throw invalidInput(`line ${String(line)} cannot be read: ${zeroByte}`);
    yield chunk.toString();
  }
};

const linesIn = (bytes: Buffer): number => {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines;
};

/**
 * The bytes of a UTF-8 stream, split between characters and without a byte order mark.
 * @throws TributaryError INPUT_INVALID bytes that are not UTF-8, quoting the text before them
 */
export const checkedUtf8 = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first = true;
  let held = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const end = lastWholeCharacter(bytes);
    let whole = bytes.subarray(0, end);
    held = Buffer.from(bytes.subarray(end));
    if (whole.length === 0) continue;
    if (!isUtf8(whole)) throw notUtf8(whole);
    if (first && whole.subarray(0, 3).equals(byteOrderMark)) whole = whole.subarray(3);
    first = false;
    if (whole.length > 0) yield whole;
  }
  if (held.length > 0) throw notUtf8(held);
};

const byteOrderMark = Buffer.from('\uFEFF');

/** The number of bytes before a character that is truncated at the end. */
const lastWholeCharacter = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
};

const shownBytes = 20;

/** The error for bytes that are not UTF-8, with the first affected text in the encodings that it may have. */
export const notUtf8 = (bytes: Buffer): TributaryError => {
  const index = bytes.toString().indexOf('\uFFFD');
  const before = Buffer.byteLength(bytes.toString().slice(0, index));
  const start = Math.max(bytes.subarray(0, before).lastIndexOf(newline) + 1, before - shownBytes);
  const place = bytes.subarray(start, before + shownBytes);
  const read = (encoding: string): string =>
    new TextDecoder(encoding)
      .decode(place)
      .replace(/[\r\n][^]*$/, '')
      .replace(/\uFFFD+$/, '');
  const [likely = 'windows-1252', ...others] = likelyEncodings(bytes.subarray(0, lookedBytes));
  const more = others.map((encoding) => `, or --encoding ${encoding}, in which it reads "${read(encoding)}"`);
  return invalidInput(
    `the text is not UTF-8: save it as UTF-8 or name its encoding, such as --encoding ${likely}, in which this place reads "${read(likely)}"${more.join('')}`,
    { details: { settledBy: `--encoding ${likely}` } },
  );
};

const lookedBytes = 64 * 1024;
const shownEncodings = 4;

/**
 * Encodings of several bytes a character, and which letters more than a share of what is not ASCII are in them; those with
 * fewer other readings first.
 */
const wideEncodings: readonly (readonly [encoding: string, letters: RegExp, share?: number])[] = [
  ['shift_jis', /[\u3041-\u30ff\u4e00-\u9fff\u3001\u3002]/gu],
  ['euc-jp', /[\u3041-\u30ff]/gu, 0.25],
  ['euc-kr', /\p{Script=Hangul}/gu],
  ['gb18030', /[\u4e00-\u9fff]/gu],
  ['big5', /[\u4e00-\u9fff]/gu],
  ['euc-jp', /[\u4e00-\u9fff]/gu],
];

/** The most likely encodings first, judging by runs of bytes that are not ASCII: western texts only have short ones. */
const likelyEncodings = (bytes: Buffer): readonly string[] => {
  const end = bytes.lastIndexOf(0x0a);
  const text = (end > 0 ? bytes.subarray(0, end) : bytes).toString('latin1');
  const runs = text.match(/[\x80-\xff]+/g) ?? [];
  const length = runs.reduce((sum, run) => sum + run.length, 0);
  const besideLetters = text.match(/[A-Za-z][\x80-\xff]+|[\x80-\xff]+[A-Za-z]/g)?.length ?? 0;
  const isLatin = besideLetters * 2 >= runs.length || runs.every((run) => /^[\x80-\xbf]+$/.test(run));
  if (length <= runs.length * 2 && isLatin) return latinEncodings(text);
  const count = (signs: RegExp): number => text.match(signs)?.length ?? 0;
  const narrow =
    // where the small letters of KOI8-R are, the others have capitals
    count(/[\xc0-\xdf]/g) > count(/[\xe0-\xff]/g)
      ? ['koi8-r', 'windows-1251', 'windows-1253']
      : count(/[\xe1\xe9\xef]/g) > count(/[\xe0\xe8\xee]/g)
        ? ['windows-1253', 'windows-1251']
        : ['windows-1251', 'windows-1253'];
  const wide = wideEncodings
    .filter(([encoding, ...letters]) => isWrittenIn(Buffer.from(text, 'latin1'), encoding, ...letters))
    .map(([encoding]) => encoding);
  return [...new Set([...wide, ...narrow])].slice(0, shownEncodings);
};

/** Encodings of Latin letters: the usual one, before others that show fewer signs and capitals inside words. */
const latinEncodings = (text: string): readonly string[] => {
  const bytes = Buffer.from(text, 'latin1');
  const oddities = new Map(
    ['windows-1252', 'windows-1250', 'macintosh'].map((encoding) => [
      encoding,
      new TextDecoder(encoding).decode(bytes).match(oddInWords)?.length ?? 0,
    ]),
  );
  const usual = oddities.get('windows-1252')!;
  const better = [...oddities].filter(([, count]) => count < usual).sort(([, one], [, other]) => one - other);
  return [...better.map(([encoding]) => encoding), 'windows-1252'];
};

/** A capital after a small letter, or a sign beside a letter, where either is not ASCII. */
const oddInWords = /(?<=\p{Ll})(?!\p{ASCII})\p{Lu}|(?<=\p{L})[^\p{L}\p{ASCII}](?=\p{L})/gu;

/** Whether bytes are in an encoding, and more than a share of what is not ASCII are these letters. */
const isWrittenIn = (bytes: Buffer, encoding: string, letters: RegExp, share = 0.8): boolean => {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    const [found, others] = [letters, /\P{ASCII}/gu].map((signs) => text.match(signs)?.length ?? 0);
    return found! > others! * share;
  } catch {
    return false;
  }
};

/**
 * All bytes of a file whose format can only be read as a whole.
 * @throws TributaryError INPUT_INVALID more than `maxBytes`
 */
export const wholeFile = async (
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  instead: string,
): Promise<Buffer> => {
  const bytes = await collectBytes(chunks, maxBytes);
  if (bytes !== null) return bytes;
  throw invalidInput(
    `the file has more than ${mebibytes(maxBytes)}, and must be read in one piece: ${instead}`,
  );
};

/** Bytes as whole MiB. */
export const mebibytes = (bytes: number): string => `${String(Math.ceil(bytes / 1024 / 1024))} MiB`;

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
