import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Compressors, FileMetaData, ParquetParsers } from 'hyparquet';
import { TributaryError } from '../../../errors/errors.ts';
import { setOwn, type JsonObject } from '../../../json/json.ts';
import { digitLoss } from './lossless-json.ts';
import { collectBytes, mebibytes } from './decode-text.ts';
import { plainReading, type ReadingOptions, type SourceRecord } from './source-record.ts';

const maxBytes = 1024 * 1024 * 1024;
/** A row group is decompressed as a whole. */
const maxUnpackedBytes = 512 * 1024 * 1024;
const maxCells = 40_000_000;

/**
 * The rows of a Parquet file, group by group; dates and times become ISO 8601, `line` is the row's number.
 * @throws TributaryError INPUT_INVALID too large, or damaged
 */
export const readParquet = async function* (
  chunks: AsyncIterable<Buffer>,
  _maxRecordBytes?: number,
  _properties?: JsonObject | null,
  reading: ReadingOptions = plainReading,
): AsyncGenerator<SourceRecord> {
  const bytes = await collectBytes(chunks, maxBytes, 'split it, or save it as NDJSON');
  const { parquetMetadata, parquetRead, parquetSchema } = await import('hyparquet');
  const file = {
    byteLength: bytes.length,
    slice: (start: number, end?: number) => sliceOf(bytes, start, end),
  };
  const metadata = readable(() => parquetMetadata(sliceOf(bytes, 0), { parsers }));
  const elements = parquetSchema(metadata).children.map(({ element }) => element);
  const names = elements.map(({ name }) => name);
  reading.onTypes?.(new Map(elements.flatMap(({ name, type, repetition_type: repetition }) => (type === undefined || repetition === 'REPEATED' || fractional[type] === undefined ? [] : [[name, fractional[type]]])))); // prettier-ignore
  const singles = elements.flatMap(({ type }, at) => (type === 'FLOAT' ? [at] : []));
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    checkGroup(group, names.length);
    const rowEnd = rowStart + Number(group.num_rows);
    let rows: readonly (readonly unknown[])[] = [];
    const compressors = await boundedCompressors();
    await parquetRead({ file, metadata, rowStart, rowEnd, compressors, parsers, onComplete: (all) => (rows = all) }).catch(unreadable); // prettier-ignore
    for (const [at, row] of rows.entries())
      yield rowRecord(names, withSingles(row, singles), rowStart + at + 1);
    rowStart = rowEnd;
  }
};

/** Declared types that are kept even where all values are whole numbers. */
const fractional: Readonly<Record<string, string>> = { FLOAT: 'float', DOUBLE: 'double' };

/** A row with the shortest decimals of its single-precision values: 0.1, not 0.10000000149011612. */
const withSingles = (row: readonly unknown[], positions: readonly number[]): readonly unknown[] =>
  positions.length === 0
    ? row
    : row.map((value, at) =>
        typeof value === 'number' && positions.includes(at) ? shortestSingle(value) : value,
      );

const shortestSingle = (value: number): number => {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
};

const sliceOf = (bytes: Buffer, start: number, end?: number): ArrayBuffer =>
  new Uint8Array(bytes.subarray(start, end)).buffer;

const checkGroup = (group: FileMetaData['row_groups'][number], columns: number): void => {
  const unpacked = group.columns.reduce((sum, { meta_data: data }) => sum + Number(data?.total_uncompressed_size ?? 0), 0); // prettier-ignore
  if (unpacked > maxUnpackedBytes || Number(group.num_rows) * columns > maxCells)
    throw invalid(`a row group of the file has ${String(group.num_rows)} rows and unpacks to ${mebibytes(unpacked)}, which is too large: write it with smaller row groups`); // prettier-ignore
};

/** Files may lie about sizes, so decompression stops at the declared size and at the overall limit. */
const boundedCompressors = async (): Promise<Compressors> => {
  const { compressors } = await import('hyparquet-compressors');
  let left = 2 * maxUnpackedBytes;
  const bounded =
    (unpack: (input: Uint8Array, length: number) => Uint8Array) => (input: Uint8Array, length: number) => {
      left -= length;
      if (left < 0) throw invalid(`a row group of the file unpacks to more than ${mebibytes(2 * maxUnpackedBytes)}: write it with smaller row groups`); // prettier-ignore
      return unpack(input, length);
    };
  return {
    ...Object.fromEntries(Object.entries(compressors).map(([name, unpack]) => [name, bounded(unpack)])),
    GZIP: bounded((input, length) => gunzipSync(input, { maxOutputLength: length })),
    BROTLI: bounded((input, length) => brotliDecompressSync(input, { maxOutputLength: length })),
    ZSTD: bounded((input, length) => zstdDecompressSync(input, { maxOutputLength: length })),
  };
};

const isoTime = (ms: number): string => new Date(ms).toISOString();

const parsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (ms) => isoTime(Number(ms)),
  timestampFromMicroseconds: (micros) => isoTime(Number(micros / 1000n)),
  timestampFromNanoseconds: (nanos) => isoTime(Number(nanos / 1_000_000n)),
  dateFromDays: (days) => isoTime(days * 86_400_000).slice(0, -'T00:00:00.000Z'.length),
};

const rowRecord = (names: readonly string[], row: readonly unknown[], line: number): SourceRecord => {
  const document = objectOf(names.map((name, at) => [name, row[at]] as const), String); // prettier-ignore
  const rounded = hasLongDigits(row)
    ? objectOf(names.map((name, at) => [name, row[at]] as const), roundedLong) // prettier-ignore
    : null;
  return { kind: 'document', line, id: null, document, rounded, bytes: 16 * names.length };
};

const objectOf = (
  entries: readonly (readonly [string, unknown])[],
  long: (value: bigint) => string | number,
): JsonObject => {
  const object: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const plain = plainValue(value, long);
    if (plain !== undefined) setOwn(object, name, plain);
  }
  return object as JsonObject;
};

/** As a JSON value; undefined if JSON has none for it. */
const plainValue = (value: unknown, long: (value: bigint) => string | number): unknown => {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'bigint') return isExact(value) ? Number(value) : long(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'object') return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map((item) => plainValue(item, long) ?? null);
  return objectOf(Object.entries(value), long);
};

const roundedLong = (value: bigint): string | number =>
  digitLoss(String(value)) === 'of a long' ? Number(value) : String(value);

const isExact = (value: bigint): boolean => BigInt(Number(value)) === value;

const hasLongDigits = (value: unknown): boolean => {
  if (typeof value === 'bigint') return digitLoss(String(value)) === 'of a long';
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLongDigits);
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
  throw invalid('the Parquet file is damaged or of an unknown kind: write it again, or as CSV', cause);
};

const invalid = (message: string, cause?: unknown): TributaryError =>
  new TributaryError('INPUT_INVALID', message, { cause });
