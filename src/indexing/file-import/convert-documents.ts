import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import type { ReadingOptions, SourceRecord } from './records/source-record.ts';
import { isPlain, badRecord, readingOf } from './records/source-record.ts';
import { columnType, mappedReader, type CellReader } from './tables/columns.ts';
import { cellParts } from './tables/split-cells.ts';
import type { IsOpaque } from '../../introspection/mapping/expanded-keys.ts';
import { expandedKeys, keyProblemIn, tooDeep } from '../../introspection/mapping/expanded-keys.ts';

/** Changes a record after it was read. */
export type RecordStep = (record: SourceRecord) => SourceRecord;

/** Applies steps to each record. */
export const withSteps = async function* (
  records: AsyncIterable<SourceRecord>,
  steps: readonly RecordStep[],
): AsyncGenerator<SourceRecord> {
  for await (let record of records) {
    for (const step of steps) record = step(record);
    yield record;
  }
};

/**
 * Converts the strings of documents according to the options: null words are dropped, and strings of fields with a requested
 * type are converted to it. Other values and records are unchanged.
 * @param properties the mapping, or null
 * @returns no steps if the options convert nothing
 */
export const convertDocuments = (
  reading: ReadingOptions,
  properties: JsonObject | null = null,
): readonly RecordStep[] => {
  if (isPlain(reading)) return [];
  const convert = converter(reading, properties);
  return [
    (record) =>
      record.kind === 'document'
        ? {
            ...record,
            document: convert(record.document),
            rounded: record.rounded && convert(record.rounded),
          }
        : record,
  ];
};

const converter = (
  reading: ReadingOptions,
  properties: JsonObject | null,
): ((document: JsonObject) => JsonObject) => {
  const readers = new Map<string, CellReader>(
    [...reading.types].map(([path, type]) => [
      path,
      mappedReader(columnType(type, readingOf(reading, path)), readingOf(reading, path), properties, path),
    ]),
  );
  const value = (given: JsonValue, path: string): JsonValue | undefined => {
    if (Array.isArray(given))
      return (given as readonly JsonValue[])
        .map((item) => value(item, path))
        .filter((item) => item !== undefined);
    if (isJsonObject(given)) return object(given, `${path}.`);
    const own = reading.ofField?.get(path)?.nullWords;
    if (own?.has(String(given).trim()) === true) return undefined;
    if (typeof given !== 'string') return given;
    const isNull = (text: string): boolean => reading.nullWords.has(text) || own?.has(text) === true;
    if (isNull(given.trim())) return undefined;
    const read = (text: string): JsonValue => readers.get(path)?.(text) ?? text;
    const splitting = reading.split?.get(path);
    const parts = splitting === undefined ? null : cellParts(given, splitting);
    if (parts === null) return read(given);
    const values = parts.filter((part) => !isNull(part)).map(read);
    return values.length === 0 ? undefined : values;
  };
  const object = (given: JsonObject, prefix: string): JsonObject => {
    const converted: Record<string, unknown> = {};
    for (const [name, below] of Object.entries(given)) {
      const read = below === undefined ? undefined : value(below, prefix + name);
      if (read !== undefined) setOwn(converted, name, read);
    }
    return converted as JsonObject;
  };
  return (document) => object(document, '');
};

/** Expands dotted keys of documents into objects; a document with a key that cannot be a field is bad. */
export const expandKeys =
  (isOpaque: IsOpaque): RecordStep =>
  (record) =>
    record.kind === 'document' ? expandedRecord(record, isOpaque) : record;

const expandedRecord = (
  record: Extract<SourceRecord, { kind: 'document' }>,
  isOpaque: IsOpaque,
): SourceRecord => {
  const problem = keyProblemIn(record.document, isOpaque);
  if (problem !== null)
    return {
      ...badRecord(record.line, problem, problem === tooDeep ? '' : JSON.stringify(record.document)),
      ...(record.file !== undefined && { file: record.file }),
    };
  const document = expandedKeys(record.document, isOpaque);
  if (document === record.document) return record;
  return { ...record, document, rounded: record.rounded && expandedKeys(record.rounded, isOpaque) };
};
