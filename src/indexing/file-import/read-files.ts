import { invalidInput, TributaryError } from '../../lib/errors/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { isTableFormat, type ImportFormat } from './records/detect-format.ts';
import type { ReadingOptions, SourceRecord, TableColumn } from './records/source-record.ts';
import { plainReading } from './records/source-record.ts';

/** The files of a load: the first and the following ones. */
export interface FilesRequest {
  readonly format: ImportFormat;
  /** The name of this file, if there are others. */
  readonly file?: string | undefined;
  /** Further files, whose records follow; opened one after another. */
  readonly others?: readonly FurtherFile[] | undefined;
}

/** A file that is read after others. */
export interface FurtherFile {
  readonly name: string;
  open(): Promise<{ readonly format: ImportFormat; readonly chunks: AsyncIterable<Buffer> }>;
}

/** Larger than any useful document: only keeps a missing line end or quote from exhausting memory. */
const maxRecordBytes = 32 * 1024 * 1024;

type Reader = (
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  properties: JsonObject | null,
  reading: ReadingOptions,
) => AsyncGenerator<SourceRecord>;

/** Only the reader of the file's format is loaded. */
const readers: Readonly<Record<ImportFormat, () => Promise<Reader>>> = {
  ndjson: async () => (await import('./records/read-ndjson.ts')).readNdjson,
  bulk: async () => (await import('./records/read-ndjson.ts')).readBulk,
  json: async () => (await import('./records/read-json.ts')).readJson,
  csv: async () => (await import('./tables/read-csv.ts')).readCsv,
  xlsx: async () => (await import('./tables/read-xlsx.ts')).readXlsx,
  parquet: async () => (await import('./records/read-parquet.ts')).readParquet,
};

/** The records of all files of a request, each with the name of its file if there are several. */
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
  const dotted = new Map<string, string>();
  let table: readonly TableColumn[] | null = null;
  const onColumns = (columns: readonly TableColumn[]): void => {
    if (table !== null) assertAlike(columns, table, file);
    table ??= columns;
    for (const { label, field } of columns) if (label.includes('.')) dotted.set(label, field);
    reading.onColumns?.(columns);
  };
  for (const { name, open } of [first, ...others]) {
    let isBegun = false;
    try {
      const opened = await open();
      if (isTableFormat(opened.format) !== isTableFormat(format))
        throw invalidInput(`it is ${opened.format}, but ${file} is ${format}: load them one after the other`);
      const onNotice = (text: string): void => void notices.set(text, [...(notices.get(text) ?? []), name]);
      const how = { ...reading, onNotice, onColumns, dotted };
      for await (const record of readRecords(opened.format, opened.chunks, properties, how)) {
        isBegun = true;
        yield { ...record, file: name };
      }
    } catch (error) {
      if (!(error instanceof TributaryError)) throw error;
      const message = error.message.includes(name) ? error.message : `${name}: ${error.message}`;
      const Failure = isBegun ? TributaryError : UnreadFile;
      throw new Failure(error.code, message, { cause: error, details: error.details });
    }
  }
  for (const [text, [name = '', ...more]] of notices)
    reading.onNotice?.(`${name}${more.length === 0 ? '' : ` and ${String(more.length)} more`}: ${text}`);
};

/** The error if one of several files cannot be read: if it is noticed in time, none of them is loaded. */
export class UnreadFile extends TributaryError {}

/** @throws TributaryError INPUT_INVALID a table that shares few columns with the first one */
const assertAlike = (columns: readonly TableColumn[], first: readonly TableColumn[], file: string): void => {
  const names = new Set(first.map(({ field }) => field));
  const shared = columns.filter(({ field }) => names.has(field));
  if (2 * shared.length >= Math.min(columns.length, first.length)) return;
  const which = shared.length === 0 ? 'none' : shared.map(({ label }) => label).join(', ');
  throw invalidInput(
    `its table differs from that of ${file}, of whose columns it has ${which}: load them one after the other, each into a catalogue of its own`,
  );
};

/**
 * The records of a file, read lazily one by one.
 * @param properties the mapping to type CSV cells by, or null
 */
export async function* readRecords(
  format: ImportFormat,
  chunks: AsyncIterable<Buffer>,
  properties: JsonObject | null,
  reading: ReadingOptions = plainReading,
): AsyncGenerator<SourceRecord> {
  const read = await readers[format]();
  yield* read(chunks, maxRecordBytes, properties, reading);
}
