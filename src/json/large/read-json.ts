import { exactJson } from './exact-json.ts';
import { isNestedWithin, isValueWithin } from './json-depth.ts';

/** How to read a text; plain data, as it is sent between threads. */
export interface JsonReading {
  /** More deeply nested text is refused. */
  readonly maxLevels?: number;
  /** Integers above 2^53 become strings of their digits. */
  readonly exact?: boolean;
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
 * The levels of shorter texts are counted once they are parsed, which is cheaper: however deep, they take little memory
 * until then. Parsing exactly is recursive, though.
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

/** The same without a reduction. */
export const parseJsonNow = (
  source: Uint8Array | string,
  { maxLevels = Infinity, exact = false }: Omit<JsonReading, 'reduction'>,
): unknown => {
  const isShort = !exact && source.length <= shortLength;
  if (maxLevels < Infinity && !isShort && !isNestedWithin(bytesOf(source), maxLevels))
    throw tooDeep(maxLevels);
  const text = textOf(source).replace(/^\uFEFF/u, '');
  const value: unknown = exact ? exactJson(text) : JSON.parse(text);
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
