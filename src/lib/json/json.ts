/** JSON values. */
export type JsonScalar = string | number | boolean | null;
export type JsonValue = JsonScalar | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** True for `{...}`, false for null, lists and scalars. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object inside an object; empty if absent. */
export const objectIn = (object: JsonObject, name: string): JsonObject => {
  const value = object[name];
  return isJsonObject(value) ? value : {};
};

/** The objects of a list inside an object. */
export const objectsIn = (object: JsonObject, name: string): readonly JsonObject[] => {
  const value = object[name];
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
};

/** A number inside an object; 0 if absent. */
export const numberIn = (object: JsonObject, name: string): number => Number(object[name] ?? 0);

/**
 * Sets a key of an object under construction, even `__proto__`, for which a plain assignment would set the prototype.
 */
export const setOwn = (object: Record<string, unknown>, key: string, value: unknown): void => {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
};

/** A whole number as it is shown: a JSON number up to 2^53, its digits beyond. */
export const shownWhole = (value: bigint): number | string =>
  value >= -lastExact && value <= lastExact ? Number(value) : value.toString();

const lastExact = 2n ** 53n;

/** Whether the text is digits for a bigint, limited in number. */
export const isWholeText = (text: string): boolean => /^[+-]?\d{1,400}$/.test(text);

/** Digits as the number that is shown for them; any other text stays. */
export const shownDigits = (text: string): number | string =>
  isWholeText(text) ? shownWhole(BigInt(text)) : text;

/** Compares numbers, which may be strings of digits beyond 2^53. */
export const compareNumbers = (a: number | string, b: number | string): number => {
  const [left, right] = [comparable(a), comparable(b)];
  return left < right ? -1 : left > right ? 1 : 0;
};

/** The value as a number or bigint; the two compare exactly. */
const comparable = (value: number | string): number | bigint =>
  typeof value === 'string' && isWholeText(value) ? BigInt(value) : Number(value);

/** Average size of a number, so that the weight of lists of numbers is close to their size. */
const numberBytes = 8;

/** Approximately how many characters a value has as JSON. */
export const sizeOf = (value: unknown): number =>
  Number.MAX_SAFE_INTEGER - roomBeside(value, Number.MAX_SAFE_INTEGER);

/**
 * Approximately how much of `room` is left after serializing a value, in characters: strings are not scanned, toJSON is
 * not called. Negative if the value does not fit; counting then stops early.
 */
export const roomBeside = (value: unknown, room: number): number => {
  if (typeof value === 'string') return room - value.length - 3;
  if (typeof value !== 'object' || value === null) return room - numberBytes;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at++) left = roomBeside(value[at], left);
    return left;
  }
  // not `for in`: with some objects that have no prototype, V8 would recompile this function again and again
  for (const key of Object.keys(value)) {
    left = roomBeside((value as Readonly<Record<string, unknown>>)[key], left - key.length - 3);
    if (left < 0) break;
  }
  return left;
};

/** An object under construction. */
export type Draft = Record<string, unknown>;

/** The values stored under a dotted path, through lists of objects; a key may itself contain the dots. */
export const valueAt = (value: JsonValue | undefined, path: string): JsonValue | undefined => {
  if (Array.isArray(value)) {
    const found = (value as readonly JsonValue[]).flatMap((item) => valueAt(item, path) ?? []);
    return found.length === 0 ? undefined : found;
  }
  if (!isJsonObject(value)) return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    const found = Object.hasOwn(value, head) ? valueAt(value[head], path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
};

/**
 * Sets a value at a path that has none yet; if the path leads through a list of objects, in each of them.
 * @param target changed in place, with all objects in it
 */
export const putAt = (target: Draft, path: readonly string[], value: unknown): void => {
  const [name, ...rest] = path;
  const known = Object.hasOwn(target, name!) ? target[name!] : undefined;
  if (rest.length === 0) {
    if (known === undefined) setOwn(target, name!, value);
    return;
  }
  const inner = known ?? {};
  if (known === undefined) setOwn(target, name!, inner);
  for (const one of Array.isArray(inner) ? (inner as unknown[]) : [inner])
    if (typeof one === 'object' && one !== null) putAt(one as Draft, rest, value);
};

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
  if (maxLevels < Infinity && !isShort && !new JsonLevels(maxLevels).add(bytesOf(source)))
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
 * Counts the levels and parts of JSON before it is parsed, as it arrives in pieces: later code walks the values
 * recursively. For invalid JSON they are arbitrary, as parsing refuses it anyway.
 */
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

/** A value without the members of objects that are null: clients of other languages send null for what is absent. */
export const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const given = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(given.map(([name, one]) => [name, withoutNulls(one)]));
};
