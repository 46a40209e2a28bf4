import { exactJson } from './exact-json.ts';
import { isNestedWithin } from './json-depth.ts';

/** How a text is read; plain data, for it crosses threads. */
export interface JsonReading {
  /** Deeper nested text is refused before it is parsed. */
  readonly maxLevels?: number;
  /** Whole numbers past 2^53 become their digits. */
  readonly exact?: boolean;
  /** What is made of the value, there where it is parsed. */
  readonly reduction?: JsonReduction;
}

export interface JsonReduction {
  /** The address of a module that exports `reduce(value, argument)`; see reductionBy. */
  readonly module: string;
  readonly argument: string;
}

/** What a module of a reduction exports. */
export interface ReducingModule {
  readonly reduce: (value: unknown, argument: string) => unknown;
}

/**
 * Reads JSON here and now.
 * @param source UTF-8 or text; some servers begin with a byte order mark, which is no JSON
 * @throws SyntaxError for what is no JSON, RangeError for what is nested too deeply, and what the reduction throws
 */
export const readJson = async (source: Uint8Array | string, reading: JsonReading): Promise<unknown> => {
  const { maxLevels, exact = false, reduction } = reading;
  if (maxLevels !== undefined && !isNestedWithin(bytesOf(source), maxLevels))
    throw new RangeError(`nested deeper than ${maxLevels} levels`);
  const text = textOf(source).replace(/^\uFEFF/u, '');
  const value: unknown = exact ? exactJson(text) : JSON.parse(text);
  if (reduction === undefined) return value;
  const { reduce } = (await import(reduction.module)) as ReducingModule;
  return reduce(value, reduction.argument);
};

const bytesOf = (source: Uint8Array | string): Uint8Array =>
  typeof source === 'string' ? Buffer.from(source) : source;

const textOf = (source: Uint8Array | string): string =>
  typeof source === 'string'
    ? source
    : Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString();
