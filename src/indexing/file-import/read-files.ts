import { TributaryError } from '../../errors/errors.ts';
import type { JsonObject } from '../../json/json.ts';
import type { ImportFormat } from './records/detect-format.ts';
import { isTableFormat } from './records/detect-format.ts';
import { readBulk, readNdjson } from './records/read-ndjson.ts';
import { readCsv } from './tables/read-csv.ts';
import { readXlsx } from './tables/read-xlsx.ts';
import { readJson } from './records/read-json.ts';
import { readParquet } from './records/read-parquet.ts';
import type { ReadingOptions, SourceRecord } from './records/source-record.ts';
import { plainReading } from './records/source-record.ts';

/** The files of a load: the first, and those that follow. */
export interface FilesRequest {
  readonly format: ImportFormat;
  /** The name of this file where others follow. */
  readonly file?: string | undefined;
  /** Further files, whose records follow; opened one after another. */
  readonly others?: readonly FurtherFile[] | undefined;
}

/** A file that is read after others. */
export interface FurtherFile {
  readonly name: string;
  open(): Promise<{ readonly format: ImportFormat; readonly chunks: AsyncIterable<Buffer> }>;
}

/** Larger than any useful document; it only keeps a missing line end or quote from exhausting memory. */
const maxRecordBytes = 32 * 1024 * 1024;

type Reader = (
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  properties: JsonObject | null,
  reading: ReadingOptions,
) => AsyncGenerator<SourceRecord>;

const readers: Readonly<Record<ImportFormat, Reader>> = {
  ndjson: readNdjson,
  bulk: readBulk,
  json: readJson,
  csv: readCsv,
  xlsx: readXlsx,
  parquet: readParquet,
};

/** The records of all files of a request, each with the name of its file where there are several. */
export const filesRecords = (
  request: FilesRequest,
  chunks: AsyncIterable<Buffer>,
  properties: JsonObject | null,
  reading: ReadingOptions,
): AsyncGenerator<SourceRecord> =>
  request.file === undefined
    ? readRecords(request.format, chunks, properties, reading)
    : namedRecords(request, request.file, chunks, properties, reading);

const namedRecords = async function* (
  { format, others = [] }: FilesRequest,
  file: string,
  chunks: AsyncIterable<Buffer>,
  properties: JsonObject | null,
  reading: ReadingOptions,
): AsyncGenerator<SourceRecord> {
  const first: FurtherFile = { name: file, open: () => Promise.resolve({ format, chunks }) };
  const notices = new Map<string, string[]>();
  for (const { name, open } of [first, ...others])
    try {
      const opened = await open();
      if (isTableFormat(opened.format) !== isTableFormat(format))
        throw new TributaryError('INPUT_INVALID', `it is ${opened.format}, but ${file} is ${format}: load them one after the other`); // prettier-ignore
      const onNotice = (text: string): void => void notices.set(text, [...(notices.get(text) ?? []), name]);
      const how = { ...reading, onNotice };
      for await (const record of readRecords(opened.format, opened.chunks, properties, how)) yield { ...record, file: name }; // prettier-ignore
    } catch (error) {
      if (!(error instanceof TributaryError)) throw error;
      const message = error.message.includes(name) ? error.message : `${name}: ${error.message}`;
      throw new TributaryError(error.code, message, { cause: error });
    }
  for (const [text, [name = '', ...more]] of notices)
    reading.onNotice?.(`${name}${more.length === 0 ? '' : ` and ${String(more.length)} more`}: ${text}`);
};

/**
 * The records of a file, read lazily one by one.
 * @param properties the mapping to type CSV cells by, or null
 */
export const readRecords = (
  format: ImportFormat,
  chunks: AsyncIterable<Buffer>,
  properties: JsonObject | null,
  reading: ReadingOptions = plainReading,
): AsyncGenerator<SourceRecord> => readers[format](chunks, maxRecordBytes, properties, reading);
