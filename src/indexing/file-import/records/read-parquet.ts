import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Compressors, FileMetaData, ParquetParsers, SchemaElement, SchemaTree } from 'hyparquet';
import { invalidInput, TributaryError } from '../../../lib/errors/errors.ts';
import { isJsonObject, setOwn, type JsonObject } from '../../../lib/json/json.ts';
import { jsonSize } from '../../bulk-writer.ts';
import { digitLoss } from './lossless-json.ts';
import { wholeFile, mebibytes } from './decode-text.ts';
import { plainReading, type ReadingOptions, type SourceRecord } from './source-record.ts';
import { plural } from '../../../lib/text/plural.ts';

const maxBytes = 1024 * 1024 * 1024;
/** A row group is decompressed as a whole. */
const maxUnpackedBytes = 512 * 1024 * 1024;
const maxCells = 40_000_000;

/**
 * The rows of a Parquet file, group by group. Dates and times become ISO 8601; times of day, and decimals that a double cannot
 * hold, become texts; bytes that are not text become base64; NaN and Infinity are left out, which is reported.
 * `line` is the row's number.
 * @throws TributaryError INPUT_INVALID too large, or damaged
 */
export const readParquet = async function* (
  chunks: AsyncIterable<Buffer>,
  _maxRecordBytes?: number,
  _properties?: JsonObject | null,
  reading: ReadingOptions = plainReading,
): AsyncGenerator<SourceRecord> {
  const bytes = await wholeFile(chunks, maxBytes, 'split it, or save it as NDJSON');
  const { parquetMetadata, parquetRead, parquetSchema } = await import('hyparquet');
  const file = {
    byteLength: bytes.length,
    slice: (start: number, end?: number) => sliceOf(bytes, start, end),
  };
  const metadata = readable(() => parquetMetadata(sliceOf(bytes, 0), { parsers }));
  const columns = parquetSchema(metadata).children;
  const names = columns.map(({ element }) => element.name);
  reading.onTypes?.(new Map(columns.flatMap(({ element }) => declaredType(element))));
  const notFinite = new Map<string, number>();
  let hasBytes = false;
  const stringFromBytes = (value: Uint8Array | undefined): string | undefined => {
    if (value === undefined) return undefined;
    const isText = isUtf8(value);
    hasBytes ||= !isText;
    return Buffer.from(value).toString(isText ? 'utf8' : 'base64');
  };
  const readers = takeReaders(columns, stringFromBytes);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    checkGroup(group, names.length);
    const rowEnd = rowStart + Number(group.num_rows);
    let rows: readonly (readonly unknown[])[] = [];
    const compressors = await boundedCompressors();
    await parquetRead({
      file,
      metadata,
      rowStart,
      rowEnd,
      compressors,
      parsers: { ...parsers, stringFromBytes },
      onComplete: (all) => (rows = all),
    }).catch(unreadable);
    for (const [at, row] of rows.entries()) {
      const exact =
        readers.size === 0 ? row : row.map((value, column) => readWith(readers, value, columns[column]!));
      for (const [column, value] of exact.entries()) {
        const count = notFiniteIn(value);
        if (count > 0) notFinite.set(names[column]!, (notFinite.get(names[column]!) ?? 0) + count);
      }
      yield rowRecord(names, exact, rowStart + at + 1);
    }
    rowStart = rowEnd;
  }
  for (const [name, count] of notFinite)
    reading.onNotice?.(
      `${String(count)} ${plural(count, 'value')} of ${name} ${plural(count, 'is', 'are')} NaN or infinite and ${plural(count, 'is', 'are')} empty`,
    );
  if (hasBytes) reading.onNotice?.('bytes that are not text are loaded as base64');
};

/** How many numbers in a value, which may be a list or an object, are NaN or infinite. */
const notFiniteIn = (value: unknown): number => {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : 1;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return 0;
  let count = 0;
  for (const below of Object.values(value)) count += notFiniteIn(below);
  return count;
};

/** A declared type that is kept even if all values are whole numbers. */
const declaredType = ({
  name,
  type,
  converted_type: converted,
  scale = 0,
  repetition_type: repetition,
}: SchemaElement): readonly (readonly [string, string])[] => {
  if (repetition === 'REPEATED') return [];
  if (type === 'FLOAT') return [[name, 'float']];
  return type === 'DOUBLE' || (converted === 'DECIMAL' && scale > 0) ? [[name, 'double']] : [];
};

type Readers = ReadonlyMap<SchemaElement, (value: unknown) => unknown>;

/**
 * Makes the library read decimals and times of day as whole numbers: it would multiply decimals as doubles, and leaves
 * times as numbers.
 * @returns readers for these numbers, for singles, and for bytes of a fixed length
 */
const takeReaders = (
  columns: readonly SchemaTree[],
  stringFromBytes: (value: Uint8Array) => string | undefined,
): Readers =>
  new Map(
    columns.flatMap(({ element, children }): (readonly [SchemaElement, (value: unknown) => unknown])[] => {
      const perMillisecond = timeParts(element);
      if (perMillisecond !== null)
        return [[element, (value) => clockText(BigInt(value as number | bigint), perMillisecond)]];
      if (element.type === 'FLOAT') return [[element, shortestSingle]];
      if (element.converted_type === undefined && element.type === 'FIXED_LEN_BYTE_ARRAY')
        return [[element, (value) => (value instanceof Uint8Array ? stringFromBytes(value) : value)]];
      if (element.converted_type !== 'DECIMAL') return [...takeReaders(children, stringFromBytes)];
      delete element.converted_type;
      delete element.logical_type;
      if (element.type === 'BYTE_ARRAY') element.type = 'FIXED_LEN_BYTE_ARRAY';
      return [[element, (value) => decimalOf(value, element.scale ?? 0)]];
    }),
  );

/** The parts of a millisecond in which times of day are counted; null for other values. */
const timeParts = ({ converted_type: converted, logical_type: logical }: SchemaElement): bigint | null => {
  const unit =
    logical?.type === 'TIME'
      ? logical.unit
      : converted?.startsWith('TIME_M') === true
        ? converted.slice('TIME_'.length)
        : '';
  return { MILLIS: 1n, MICROS: 1_000n, NANOS: 1_000_000n }[unit] ?? null;
};

const readWith = (readers: Readers, value: unknown, node: SchemaTree): unknown => {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => readWith(readers, item, node));
  const reader = readers.get(node.element);
  if (reader !== undefined) return reader(value);
  const [only, second] = node.children;
  if (only === undefined) return value;
  const ofMap = mapValues(node);
  if (ofMap !== null && isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, readWith(readers, part, ofMap)]),
    );
  if (!isJsonObject(value)) return second === undefined ? readWith(readers, value, only) : value;
  // lists and maps have groups that do not appear in the values
  if (second === undefined && !Object.hasOwn(value, only.element.name)) return readWith(readers, value, only);
  const below = ([name, part]: [string, unknown]): [string, unknown] => {
    const child = node.children.find(({ element }) => element.name === name);
    return [name, child === undefined ? part : readWith(readers, part, child)];
  };
  return Object.fromEntries(Object.entries(value).map(below));
};

/** The schema of a map's values, whose keys become member names; null if it is not a map. */
const mapValues = ({ element, children }: SchemaTree): SchemaTree | null =>
  (element.converted_type === 'MAP' &&
    children[0]?.children.find((child) => child.element.name === 'value')) ||
  null;

/** A fraction of more digits than a double keeps. */
class Fraction {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

const decimalOf = (value: unknown, scale: number): unknown => {
  const whole = value instanceof Uint8Array ? wholeOf(value) : BigInt(value as number | bigint);
  if (scale <= 0) return whole * 10n ** BigInt(-scale);
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
  const text = `${whole < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return digitLoss(text) === 'none' ? Number(text) : new Fraction(text);
};

/** Two's complement, the highest byte first. */
const wholeOf = (bytes: Uint8Array): bigint =>
  bytes.length === 0
    ? 0n
    : BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));

/** The shortest decimal form of a single-precision value: 0.1, not 0.10000000149011612. */
const shortestSingle = (single: unknown): unknown => {
  const value = single as number;
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
};

const sliceOf = (bytes: Buffer, start: number, end?: number): ArrayBuffer =>
  new Uint8Array(bytes.subarray(start, end)).buffer;

const checkGroup = (group: FileMetaData['row_groups'][number], columns: number): void => {
  const unpacked = group.columns.reduce(
    (sum, { meta_data: data }) => sum + Number(data?.total_uncompressed_size ?? 0),
    0,
  );
  if (unpacked > maxUnpackedBytes || Number(group.num_rows) * columns > maxCells)
    throw invalidInput(
      `a row group of the file has ${String(group.num_rows)} rows and unpacks to ${mebibytes(unpacked)}, which is too large: write it with smaller row groups`,
    );
};

/** Declared sizes may be wrong, so decompression stops at the declared size and at the overall limit. */
const boundedCompressors = async (): Promise<Compressors> => {
  const { compressors } = await import('hyparquet-compressors');
  let left = 2 * maxUnpackedBytes;
  const bounded =
    (unpack: (input: Uint8Array, length: number) => Uint8Array) => (input: Uint8Array, length: number) => {
      left -= length;
      if (left < 0)
        throw invalidInput(
          `a row group of the file unpacks to more than ${mebibytes(2 * maxUnpackedBytes)}: write it with smaller row groups`,
        );
      return unpack(input, length);
    };
  return {
    ...Object.fromEntries(Object.entries(compressors).map(([name, unpack]) => [name, bounded(unpack)])),
    GZIP: bounded((input, length) => gunzipSync(input, { maxOutputLength: length })),
    BROTLI: bounded((input, length) => brotliDecompressSync(input, { maxOutputLength: length })),
    ZSTD: bounded((input, length) => zstdDecompressSync(input, { maxOutputLength: length })),
  };
};

/**
 * A time as ISO 8601, with any digits beyond milliseconds.
 * @param count parts of a millisecond
 * @returns Infinity for counts beyond all dates, which some programs write for "no end"
 */
const isoTime = (count: bigint, perMillisecond: bigint): string | number => {
  const beyond = ((count % perMillisecond) + perMillisecond) % perMillisecond;
  const date = new Date(Number((count - beyond) / perMillisecond));
  if (Number.isNaN(date.getTime())) return Infinity;
  const text = date.toISOString();
  if (beyond === 0n) return text;
  return text.replace(
    'Z',
    `${String(beyond + perMillisecond)
      .slice(1)
      .replace(/0+$/, '')}Z`,
  );
};

/** `09:30:00`, with fractions of a second if there are any. */
const clockText = (count: bigint, perMillisecond: bigint): string | number => {
  const time = isoTime(count, perMillisecond);
  return typeof time === 'number' ? time : time.slice('1970-01-01T'.length, -1).replace(/\.000$/, '');
};

const dayText = (days: number): string | number => {
  const time = isoTime(BigInt(days) * 86_400_000n, 1n);
  return typeof time === 'number' ? time : time.slice(0, -'T00:00:00.000Z'.length);
};

const parsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (ms) => isoTime(ms, 1n),
  timestampFromMicroseconds: (micros) => isoTime(micros, 1_000n),
  timestampFromNanoseconds: (nanos) => isoTime(nanos, 1_000_000n),
  dateFromDays: dayText,
  jsonFromBytes: (bytes) => bytes && exactJson(Buffer.from(bytes).toString()),
};

/** Large whole numbers become bigints; of other numbers that a double would change, the digits are kept. */
const exactJson = (text: string): unknown => {
  try {
    return JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) => {
      const source = typeof value === 'number' ? (context?.source ?? '') : '';
      const loss = digitLoss(source);
      return loss === 'of a long'
        ? BigInt(source)
        : loss === 'none'
          ? value
          : loss === 'of a fraction'
            ? new Fraction(source)
            : source;
    });
  } catch {
    return text;
  }
};

const rowRecord = (names: readonly string[], row: readonly unknown[], line: number): SourceRecord => {
  const entries = names.map((name, at) => [name, row[at]] as const);
  const document = objectOf(entries, (digits) => digits);
  const rounded = hasKeptDigits(row) ? objectOf(entries, roundedDigits) : null;
  return { kind: 'document', line, id: null, document, rounded, bytes: jsonSize(document) };
};

/** The value for the digits of a number that a double would round. */
type Kept = (digits: string) => string | number;

const objectOf = (entries: readonly (readonly [string, unknown])[], kept: Kept): JsonObject => {
  const object: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const plain = plainValue(value, kept);
    if (plain !== undefined) setOwn(object, name, plain);
  }
  return object as JsonObject;
};

/** As a JSON value; undefined if it cannot be one. */
const plainValue = (value: unknown, kept: Kept): unknown => {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'bigint')
    return digitLoss(String(value)) === 'none' ? Number(value) : kept(String(value));
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'object') return value;
  if (value instanceof Fraction) return kept(value.digits);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map((item) => plainValue(item, kept) ?? null);
  return objectOf(Object.entries(value), kept);
};

const roundedDigits: Kept = (digits) => (digitLoss(digits) === 'of a text' ? digits : Number(digits));

const hasKeptDigits = (value: unknown): boolean => {
  if (typeof value === 'bigint') return digitLoss(String(value)) === 'of a long';
  if (value instanceof Fraction) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasKeptDigits);
};

const readable = <Result>(read: () => Result): Result => {
  try {
    return read();
  } catch (cause) {
    return unreadable(cause);
  }
};

const unreadable = (cause: unknown): never => {
  if (cause instanceof TributaryError) throw cause;
  throw invalidInput('the Parquet file is damaged or of an unknown kind: write it again, or as CSV', {
    cause,
  });
};
