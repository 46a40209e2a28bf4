/** How to read a text; plain data, as it is sent between threads. */
export interface JsonReading {
  /** More deeply nested text is refused. */
  readonly maxLevels?: number;
  /** Integers above 2^53 become strings of their digits; `rounded`: only those that a number would round. */
  readonly exact?: boolean | 'rounded';
  /** Reduces the value in the thread that parses it. */
  readonly reduction?: JsonReduction;
}

export interface JsonReduction {
  /** The address of a module that exports `reduce(value, argument)`; see reductionBy. */
  readonly module: string;
  readonly argument: string;
}

/** The exports of a reduction module. */
export interface ReducingModule {
  readonly reduce: (value: unknown, argument: string) => unknown;
}

/**
 * Shorter texts are parsed first and their levels counted then, which is cheaper: however deep, they take little memory
 * until then. Exact parsing is recursive, so there levels are counted first.
 */
const shortLength = 64 * 1024;

/**
 * Reads JSON in the current thread.
 * @param source UTF-8 or text; some servers send a byte order mark, which is not valid JSON
 * @throws SyntaxError for invalid JSON, RangeError for JSON nested too deeply, and errors of the reduction
 */
export const readJson = async (source: Uint8Array | string, reading: JsonReading): Promise<unknown> => {
  const value = parseJsonNow(source, reading);
  const { reduction } = reading;
  if (reduction === undefined) return value;
  const { reduce } = (await import(reduction.module)) as ReducingModule;
  return reduce(value, reduction.argument);
};

/** Parses without a reduction. */
export const parseJsonNow = (
  source: Uint8Array | string,
  { maxLevels = Infinity, exact = false }: Omit<JsonReading, 'reduction'>,
): unknown => {
  const text = textOf(source).replace(/^\uFEFF/u, '');
  const revives = exact && longNumber.test(text);
  // the reviver for numbers recurses on each level, so levels are counted first
  const isShort = !revives && source.length <= shortLength;
  if (maxLevels < Infinity && !isShort && !isNestedWithin(bytesOf(source), maxLevels))
    throw tooDeep(maxLevels);
  const value: unknown = revives
    ? JSON.parse(text, exact === 'rounded' ? roundedDigits : digits)
    : JSON.parse(text);
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
    let depth = this.#depth;
    let values = 0;
    let parts = 0;
    let inString = this.#inString;
    let at = this.#isEscaped ? 1 : 0;
    // only ASCII matters, and bytes of multi-byte characters are never ASCII
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === quote) inString = !inString;
      else if (inString) {
        if (byte === backslash) at += 1;
      } else if (byte === openList || byte === openObject) {
        depth += 1;
        values += 1;
        parts += 1;
        if (depth > this.#max) return false;
      } else if (byte === closeList || byte === closeObject) depth -= 1;
      else if (byte === comma) values += 1;
      else if (byte === colon) parts += 1;
    }
    this.values += values;
    this.parts += parts;
    [this.#depth, this.#inString, this.#isEscaped] = [depth, inString, at > bytes.length];
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

interface Read {
  readonly source?: string;
}

const digits = (_key: string, value: unknown, context?: Read): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? context!.source
    : value;

const roundedDigits = (key: string, value: unknown, context?: Read): unknown => {
  const read = digits(key, value, context);
  if (read === value || !Number.isFinite(value)) return read;
  return BigInt(value as number) === BigInt(read as string) ? value : read;
};
