import type { IndexDescription } from '../../engines/engine.ts';
import { opaqueIn } from '../../introspection/mapping/expanded-keys.ts';
import { newInference } from '../../introspection/mapping/infer.ts';
import type { JsonObject } from '../../json/json.ts';
import { isJsonObject } from '../../json/json.ts';
import { isDynamic, mergeProperties, rejectCollisions } from '../mapping-body.ts';
import { withRequestedTypes } from './inference/requested-types.ts';
import { convertDocuments, withExpandedKeys } from './convert-documents.ts';
import type { ImportFormat } from './records/detect-format.ts';
import { isTableFormat } from './records/detect-format.ts';
import type { IdRule } from './document-id.ts';
import { chooseIdRule } from './document-id.ts';
import type { Evidence } from './inference/field-evidence.ts';
import { newEvidence } from './inference/field-evidence.ts';
import type { ReadingOptions, DocumentRecord, SourceRecord } from './records/source-record.ts';
import { plainReading } from './records/source-record.ts';
import { readBulk, readNdjson } from './records/read-ndjson.ts';
import { readCsv } from './tables/read-csv.ts';
import { readXlsx } from './tables/read-xlsx.ts';
import { readJsonArray } from './records/read-json-array.ts';
import { readParquet } from './records/read-parquet.ts';

/** What to read, and what is known about its destination. */
export interface PlanRequest {
  readonly chunks: AsyncIterable<Buffer>;
  readonly format: ImportFormat;
  /** `{dynamic, properties}`; null to infer it from the first documents. */
  readonly mapping: JsonObject | null;
  /** The dotted path of the field that holds the documents' keys. */
  readonly idField: string | undefined;
  /** Whether the previous content of the index is replaced. */
  readonly replace: boolean;
  readonly reading?: ReadingOptions | undefined;
}

/** What the first records show about the file. */
export interface ImportPlan {
  readonly records: AsyncIterable<SourceRecord>;
  readonly documents: readonly DocumentRecord[];
  readonly idRule: IdRule;
  /** For creating or extending the index. */
  readonly mapping: JsonObject;
  /** Whether the mapping was inferred from the documents. */
  readonly inferred: boolean;
  /** The properties the index will have. */
  readonly properties: JsonObject;
  readonly evidence: Evidence;
  /** The columns of a table; null for documents. */
  readonly columns: readonly string[] | null;
  /** Whether the sample is the whole file. */
  readonly complete: boolean;
}

const sampleRecords = 10_000;
const sampleBytes = 16 * 1024 * 1024;

/**
 * Reads the first records of a file and decides how its documents get keys and types.
 * @throws TributaryError an unreadable file, an id field or field with a requested type that no document has, names
 *   that GraphQL cannot distinguish
 */
export const planImport = async (
  request: PlanRequest,
  existing: IndexDescription | null,
): Promise<ImportPlan> => {
  let columns: readonly string[] | null = null;
  const requested = request.reading ?? plainReading;
  const reading = { ...requested, onColumns: (names: readonly string[]) => void (columns = names) };
  const isTable = isTableFormat(request.format);
  const mapped = knownProperties(request, existing);
  const read = readRecords(request.format, request.chunks, mapped, reading);
  const records = isTable ? read : convertDocuments(withExpandedKeys(read, opaqueIn(mapped ?? {})), reading);
  const sample = await takeSample(records);
  const documents = sample.records.flatMap((record) => (record.kind === 'document' ? [record] : []));
  const evidence = newEvidence();
  for (const record of documents) evidence.add(record.rounded ?? record.document, record.line);
  const before = request.replace ? {} : (existing?.properties ?? {});
  const { mapping, inferred } = mappingOf(request, existing, documents);
  const given = mergeProperties(before, propertiesOf(mapping));
  const known = isTable ? null : [...evidence.fields.keys()];
  const typed = withRequestedTypes(propertiesOf(mapping), requested.types, known, !inferred);
  if (requested.types.size > 0) withRequestedTypes(given, requested.types, null, !inferred);
  const properties = mergeProperties(given, typed);
  // fields of a given mapping or existing index are deliberate; here names in documents become fields
  rejectCollisions(properties, inferred ? before : given);
  return {
    records: replay(sample, records),
    documents,
    idRule: chooseIdRule(documents, request.idField),
    mapping: requested.types.size === 0 ? mapping : { ...mapping, properties: typed },
    inferred,
    properties,
    evidence,
    columns,
    complete: sample.complete,
  };
};

const propertiesOf = (mapping: JsonObject): JsonObject =>
  isJsonObject(mapping['properties']) ? mapping['properties'] : {};

const knownProperties = (request: PlanRequest, existing: IndexDescription | null): JsonObject | null => {
  const given = request.mapping?.['properties'] as JsonObject | undefined;
  return given ?? (request.replace ? null : (existing?.properties ?? null));
};

interface Sample {
  readonly records: readonly SourceRecord[];
  /** The error that ended reading the sample; rethrown after the records before it. */
  readonly broken: unknown;
  readonly complete: boolean;
}

/** @throws what the reader throws before the first document */
const takeSample = async (records: AsyncGenerator<SourceRecord>): Promise<Sample> => {
  const taken: SourceRecord[] = [];
  let bytes = 0;
  try {
    while (taken.length < sampleRecords && bytes < sampleBytes) {
      const next = await records.next();
      if (next.done === true) return { records: taken, broken: null, complete: true };
      taken.push(next.value);
      bytes += next.value.kind === 'document' ? next.value.bytes : 0;
    }
  } catch (broken) {
    if (!taken.some((record) => record.kind === 'document')) throw broken;
    return { records: taken, broken, complete: true };
  }
  return { records: taken, broken: null, complete: false };
};

/** A given mapping without properties is also completed from the sample, unless it is not dynamic. */
const mappingOf = (
  request: PlanRequest,
  existing: IndexDescription | null,
  sample: readonly DocumentRecord[],
): { readonly mapping: JsonObject; readonly inferred: boolean } => {
  const given = request.mapping ?? {};
  const hasFields = given['properties'] !== undefined || !isDynamic(given);
  if (hasFields || (existing !== null && !request.replace)) return { mapping: given, inferred: false };
  const inference = newInference();
  for (const record of sample) inference.add(record.rounded ?? record.document);
  return { mapping: { dynamic: true, ...given, ...inference.mapping() }, inferred: true };
};

const replay = async function* (
  sample: Sample,
  rest: AsyncIterable<SourceRecord>,
): AsyncGenerator<SourceRecord> {
  yield* sample.records;
  if (sample.broken !== null) throw sample.broken;
  yield* rest;
};

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
