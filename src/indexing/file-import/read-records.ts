import type { JsonObject } from '../../json/json.ts';
import type { ImportFormat } from './records/detect-format.ts';
import { readBulk } from './records/read-bulk.ts';
import { readCsv } from './tables/read-csv.ts';
import { readXlsx } from './tables/read-xlsx.ts';
import { readJsonArray } from './records/read-json-array.ts';
import { readNdjson } from './records/read-ndjson.ts';
import { readParquet } from './records/read-parquet.ts';
import type { ReadingOptions, SourceRecord } from './records/source-record.ts';
import { plainReading } from './records/source-record.ts';

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
  json: readJsonArray,
  csv: readCsv,
  xlsx: readXlsx,
  parquet: readParquet,
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
