/** How to read a text. */
export interface JsonReading {
  /** More deeply nested text is refused. */
  readonly maxLevels?: number;
  /** Integers above 2^53 become strings of their digits; `rounded`: only those that a number would round. */
  readonly exact?: boolean | 'rounded';
}

/** Shorter texts are parsed first and their levels counted then, which is cheaper: however deep, they take little memory. */
const shortLength = 64 * 1024;

/**
 * Parses JSON.
 * @param source UTF-8 or text; some servers send a byte order mark, which is not valid JSON
 * @throws SyntaxError for invalid JSON, RangeError for JSON nested too deeply
 */
export const readJson = (
  source: Uint8Array | string,
  { maxLevels = Infinity, exact = false }: JsonReading = {},
): unknown => {
  const isShort = source.length <= shortLength;
  if (maxLevels < Infinity && !isShort && !isNestedWithin(bytesOf(source), maxLevels))
    throw tooDeep(maxLevels);
  const text = textOf(source).replace(/^\uFEFF/u, '');
  const value: unknown = JSON.parse(exact && longNumber.test(text) ? quoted(text, exact) : text);
  if (maxLevels < Infinity && isShort && !isValueWithin(value, maxLevels)) throw tooDeep(maxLevels);
  return value;
};

const tooDeep = (maxLevels: number): RangeError => new RangeError(`nested deeper than ${maxLevels} levels`);

const bytesOf = (source: Uint8Array | string): Uint8Array =>
  typeof source === 'string' ? Buffer.from(source) : source;

const textOf = (source: Uint8Array | string): string =>
  typeof source === 'string'
    ? source
    : Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString();

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
/** By byte: 1 for those that say where values begin and end. A look into a table takes half the time of comparisons. */
const isMark = new Uint8Array(256);
for (const mark of [quote, comma, colon, openList, closeList, openObject, closeObject]) isMark[mark] = 1;

/**
 * Whether JSON text is nested at most that many levels deep, checked before parsing: later code walks the values
 * recursively.
 * @param bytes complete UTF-8; for invalid JSON the result is arbitrary, as parsing refuses it anyway
 */
export const isNestedWithin = (bytes: Uint8Array, max: number): boolean => new JsonLevels(max).add(bytes);

/** Counts the levels and parts of JSON that arrives in pieces. */
export class JsonLevels {
  readonly #max: number;
  #depth = 0;
  /** How many lists, objects and separators there were so far. */
  values = 0;
  /** How many lists, objects and keys there were so far: parsing one takes up to a hundred times as long as a number. */
  parts = 0;
  #inString = false;
  /** Whether the next byte belongs to a backslash before it. */
  #isEscaped = false;

  constructor(max: number) {
    this.#max = max;
  }

  /** Whether the text is nested at most that many levels deep so far. @param bytes UTF-8, cut anywhere */
  add(bytes: Uint8Array): boolean {
    const { length } = bytes;
    let [depth, values, parts, inString] = [this.#depth, 0, 0, this.#inString];
    let at = this.#isEscaped ? 1 : 0;
    // only ASCII matters, and bytes of multi-byte characters are never ASCII
    for (; at < length; at += 1) {
      if (inString) {
        for (; at < length && bytes[at] !== quote; at += 1) if (bytes[at] === backslash) at += 1;
        if (at >= length) break;
        inString = false;
        continue;
      }
      const byte = bytes[at]!;
      // nearly all
      if (isMark[byte] === 0) continue;
      if (byte === quote) inString = true;
      else if (byte === comma) values += 1;
      else if (byte === colon) parts += 1;
      else if (byte === closeList || byte === closeObject) depth -= 1;
      else {
        depth += 1;
        values += 1;
        parts += 1;
        if (depth > this.#max) return false;
      }
    }
    this.values += values;
    this.parts += parts;
    [this.#depth, this.#inString, this.#isEscaped] = [depth, inString, at > length];
    return true;
  }
}

/** Checks a parsed value, which takes a tenth of the time. */
export const isValueWithin = (value: unknown, max: number): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  if (max === 0) return false;
  // scalars are skipped here: a call for each costs more than the check
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[])
      if (typeof item === 'object' && item !== null && !isValueWithin(item, max - 1)) return false;
    return true;
  }
  // faster than Object.values
  for (const key in value) {
    const item = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof item === 'object' && item !== null && !isValueWithin(item, max - 1)) return false;
  }
  return true;
};

/** A number with sixteen or more digits before its point may be an integer that a double cannot represent. */
const longNumber = /(?:^|[[,:\s-])\d{16}/;
const longDigits = 16;
const integer = /^-?[1-9]\d+$/;
/** What follows a key, so that JSON with a number as a key stays invalid. */
const endOfKey = /\s*:/y;

/**
 * JSON with quotes around integers above 2^53: `JSON.parse` with a function that sees the digits takes twenty times as
 * long.
 */
const quoted = (text: string, exact: true | 'rounded'): string => {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      continue;
    }
    if (!isInNumber(code)) continue;
    let end = at + 1;
    while (end < text.length && isInNumber(text.charCodeAt(end))) end += 1;
    if (end - at >= longDigits && isLost(text.slice(at, end), exact) && !isKey(text, end)) {
      parts.push(text.slice(from, at), text.slice(at, end));
      from = end;
    }
    at = end - 1;
  }
  return parts.length === 0 ? text : `${parts.join('"')}"${text.slice(from)}`;
};

/** Whether a number would not keep all digits of an integer, or is not known to. */
const isLost = (digits: string, exact: true | 'rounded'): boolean => {
  const value = Number(digits);
  if (Number.isSafeInteger(value) || !integer.test(digits)) return false;
  return exact === true || !Number.isFinite(value) || BigInt(value) !== BigInt(digits);
};

const isKey = (text: string, end: number): boolean => {
  endOfKey.lastIndex = end;
  return endOfKey.test(text);
};

/** Where the string that begins at a quote ends; for a string without an end, where the text does. */
const endOfString = (text: string, begin: number): number => {
  for (let at = text.indexOf('"', begin + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
};

/** Digits, signs, points and exponents; also parts of `true`, `false` and others, which are no integers. */
const isInNumber = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  code === 0x2d ||
  code === 0x2b ||
  code === 0x2e ||
  code === 0x45 ||
  code === 0x65;
