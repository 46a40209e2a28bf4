import type { Engine, IndexDescription } from '../../engines/engine.ts';
import { asTributaryError, TributaryError } from '../../errors.ts';
import { opaqueIn } from '../../introspection/expanded-keys.ts';
import { newInference } from '../../introspection/infer.ts';
import type { JsonObject } from '../../json.ts';
import type { BatchWriter, WriteCounts } from './batch-writer.ts';
import { batchWriter } from './batch-writer.ts';
import type { ImportFormat } from './detect-format.ts';
import type { IdRule } from './document-id.ts';
import { chooseIdRule, documentId } from './document-id.ts';
import { withExpandedKeys } from './with-expanded-keys.ts';
import type { IndexTarget } from '../index-target.ts';
import { describeIfThere, openTarget } from '../index-target.ts';
import { isDynamic } from '../mapping-body.ts';
import { readRecords } from './read-records.ts';
import type { RejectsFile } from './rejects-file.ts';
import type { SourceRecord } from './source-record.ts';

export interface ImportRequest {
  readonly chunks: AsyncIterable<Buffer>;
  readonly format: ImportFormat;
  /** The index or alias to load into. */
  readonly name: string;
  /** Further names for the index. */
  readonly aliases: readonly string[];
  /** `{dynamic, properties}`; null to infer it from the first documents. */
  readonly mapping: JsonObject | null;
  /** Settings to create the index with, as an index body has them. */
  readonly settings?: JsonObject | undefined;
  /** The dotted path of the field that holds the documents' keys. */
  readonly idField: string | undefined;
  /** Whether what the index held before is to go. */
  readonly replace: boolean;
  /** Whether a file without documents makes an index that was not there; else nothing is made, which is a failure. */
  readonly mayBeEmpty: boolean;
}

export interface ImportProgress extends WriteCounts {
  readonly rejected: number;
}

export interface ImportReport {
  /** The index written to. */
  readonly index: string;
  /** Whether this import made the index. */
  readonly newIndex: boolean;
  readonly idRule: IdRule;
  /** Whether documents without a key of their own were among the first ones and got one made. */
  readonly madeKeys: boolean;
  readonly counts: ImportProgress;
  /** `{dynamic, properties}` as it is at the end. */
  readonly mapping: JsonObject;
  /** The first documents, for a starter configuration. */
  readonly sample: readonly JsonObject[];
  /** Why the import stopped before the end of the file or loaded nothing; null when it went through. */
  readonly failure: TributaryError | null;
}

const sampleDocuments = 1_000;
const sampleBytes = 16 * 1024 * 1024;

/**
 * Loads a file's documents into an index: creates or extends the index, writes in batches while reading on, keeps what
 * cannot be loaded in the rejects file, and goes on. Memory stays bounded whatever the file's size.
 * @returns the report; a failure after the first document is part of it, with the counts up to there
 * @throws TributaryError what goes wrong before anything is written: an unreadable file, an id field that no document
 *   has, CONFLICT with the existing mapping, an engine that is away
 */
export const importFile = async (
  engine: Engine,
  request: ImportRequest,
  rejects: RejectsFile,
  onProgress: (progress: ImportProgress) => void = () => undefined,
): Promise<ImportReport> => {
  const existing = await describeIfThere(engine, request.name);
  const known = knownProperties(request, existing);
  const records = withExpandedKeys(readRecords(request.format, request.chunks, known), opaqueIn(known ?? {}));
  const sample = await takeSample(records);
  const documents = sample.records.flatMap((record) => (record.kind === 'document' ? [record] : []));
  const idRule = chooseIdRule(documents, request.idField);
  const mapping = mappingOf(request, existing, documents.map((record) => record.rounded ?? record.document)); // prettier-ignore
  const target = await openTarget(engine, { ...request, mapping, existing });
  const writer = batchWriter(engine, target, ({ document, ...refused }) =>
    rejects.add({
      ...refused,
      ...(document === null ? {} : { text: JSON.stringify(document).slice(0, 2_000) }),
    }),
  );
  const progress = (): ImportProgress => ({ ...writer.counts(), rejected: rejects.count() });
  const stopped = await writeAll(replay(sample, records), writer, idRule, rejects, () =>
    onProgress(progress()),
  );
  const counts = progress();
  const failure = stopped ?? emptiness(request, target, counts);
  await settle(target, request, counts, failure);
  return {
    index: target.index,
    newIndex: target.created,
    idRule,
    madeKeys: idRule.kind === 'generated' && documents.some((record) => record.id === null),
    counts,
    mapping: { ...mapping, properties: writer.properties() },
    sample: documents.map((record) => record.document),
    failure,
  };
};

/** Documents and deletions that took effect. */
export const loaded = (counts: WriteCounts): number => counts.created + counts.updated + counts.deleted;

const knownProperties = (request: ImportRequest, existing: IndexDescription | null): JsonObject | null => {
  const given = request.mapping?.['properties'] as JsonObject | undefined;
  return given ?? (request.replace ? null : (existing?.properties ?? null));
};

interface Sample {
  readonly records: readonly SourceRecord[];
  /** Why reading ended among them; thrown in its turn, after the records before it. */
  readonly broken: unknown;
}

/** @throws what the reader throws before the first document */
const takeSample = async (records: AsyncGenerator<SourceRecord>): Promise<Sample> => {
  const taken: SourceRecord[] = [];
  let bytes = 0;
  try {
    while (taken.length < sampleDocuments && bytes < sampleBytes) {
      const next = await records.next();
      if (next.done === true) break;
      taken.push(next.value);
      bytes += next.value.kind === 'document' ? next.value.bytes : 0;
    }
  } catch (broken) {
    if (!taken.some((record) => record.kind === 'document')) throw broken;
    return { records: taken, broken };
  }
  return { records: taken, broken: null };
};

/** A given mapping without properties is filled in from the sample too, unless it is not to grow. */
const mappingOf = (
  request: ImportRequest,
  existing: IndexDescription | null,
  sample: readonly JsonObject[],
): JsonObject => {
  const given = request.mapping ?? {};
  const hasFields = given['properties'] !== undefined || !isDynamic(given);
  if (hasFields || (existing !== null && !request.replace)) return given;
  const inference = newInference();
  for (const document of sample) inference.add(document);
  return { dynamic: true, ...given, ...inference.mapping() };
};

const replay = async function* (
  sample: Sample,
  rest: AsyncIterable<SourceRecord>,
): AsyncGenerator<SourceRecord> {
  yield* sample.records;
  if (sample.broken !== null) throw sample.broken;
  yield* rest;
};

/** null when the file was read to its end and everything written; else what stopped it, all before it written. */
const writeAll = async (
  records: AsyncIterable<SourceRecord>,
  writer: BatchWriter,
  idRule: IdRule,
  rejects: RejectsFile,
  onRecord: () => void,
): Promise<TributaryError | null> => {
  let stopped: TributaryError | null = null;
  try {
    for await (const record of records) {
      await takeRecord(record, writer, idRule, rejects);
      onRecord();
    }
  } catch (error) {
    stopped = asTributaryError(error);
  }
  try {
    await writer.flush();
  } catch (error) {
    stopped ??= asTributaryError(error);
  }
  return stopped;
};

const takeRecord = async (
  record: SourceRecord,
  writer: BatchWriter,
  idRule: IdRule,
  rejects: RejectsFile,
): Promise<void> => {
  switch (record.kind) {
    case 'bad':
      return rejects.add({ line: record.line, reason: record.reason, text: record.text });
    case 'delete':
      return writer.addDelete(record);
    case 'document': {
      const id = documentId(record, idRule);
      if (id !== null) return writer.addDocument(record, id);
      const path = idRule.kind === 'field' ? idRule.path : '_id';
      const text = JSON.stringify(record.document).slice(0, 2_000);
      return rejects.add({ line: record.line, reason: `no value in ${path}, the id field`, text });
    }
  }
};

/** What is wrong with having loaded nothing; null when something was, or an empty index is what was asked for. */
const emptiness = (
  { mayBeEmpty, replace }: ImportRequest,
  { created }: IndexTarget,
  counts: ImportProgress,
): TributaryError | null => {
  if (loaded(counts) > 0) return null;
  if (counts.rejected > 0) return new TributaryError('INPUT_INVALID', 'no document could be loaded');
  if (mayBeEmpty && created && !replace) return null;
  return new TributaryError('INPUT_INVALID', 'the file holds no documents');
};

/** A replacement that is not whole never takes the old index's place. */
const settle = async (
  target: IndexTarget,
  request: ImportRequest,
  counts: ImportProgress,
  failure: TributaryError | null,
): Promise<void> => {
  const useless = failure !== null && (request.replace || loaded(counts) === 0);
  await (useless && target.created ? target.abandon() : target.finish());
};
