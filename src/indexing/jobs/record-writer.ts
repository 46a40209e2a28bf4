import type { WriteOutcome, Engine } from '../../engines/engine.ts';
import { TributaryError } from '../../errors/errors.ts';
import { originField, originProperties, type Origin } from '../../introspection/fields/field.ts';
import type { JsonObject } from '../../json/json.ts';
import { withoutKeyField } from '../file-import/document-id.ts';
import type { RecordPage, RepositoryRecord } from '../repositories/repository.ts';
import { bulkWriter, type BulkItem, type BulkTarget } from './bulk-writer.ts';
import { typeMisfit } from '../file-import/inference/type-check.ts';
import { expandedKeys, keyProblemIn, opaqueIn } from '../../introspection/mapping/expanded-keys.ts';
import type { JobTask } from './job.ts';
import { growth } from '../../introspection/mapping/infer.ts';
import { describeIfThere, openTarget, type IndexTarget } from '../index-target.ts';
import { mappingCovers, mappingType, mergeProperties } from '../mapping-body.ts';
import type { KeyedLock } from '../../concurrency/locks.ts';

/** With more failed records the whole job fails. Bounds the memory of `kept`. */
const maxKeptErrors = 100_000;

/**
 * Writes pages of records as documents marked with their origin, and counts the outcomes. Resolves when everything is
 * durable, rejects when nothing is in progress any more.
 * @param prepare makes the index ready for documents; see `dynamicIndex`
 * @returns documents and records whose new version could not be written, so that the previous one is kept
 * @throws TributaryError from the repository or the engine
 */
export const writeRecords = async (
  task: JobTask,
  pages: AsyncIterable<RecordPage> | Iterable<RecordPage>,
  prepare: PrepareIndex,
): Promise<ReadonlySet<string>> => {
  const { counts } = task.progress;
  const kept = new Set<string>();
  const fail = (recordId: string, keptId: string, reason: string): void => {
    task.progress.fail(recordId, reason);
    kept.add(keptId);
    if (kept.size > maxKeptErrors)
      throw new TributaryError('BAD_USER_INPUT', `more than ${maxKeptErrors} records could not be indexed, the last one: ${reason}`); // prettier-ignore
  };
  const onOutcome = ({ recordId, operation }: BulkItem, outcome: WriteOutcome): void => {
    if (outcome.status !== 'refused') counts.indexed += 1;
    else fail(recordId, operation.id, refusal(recordId, operation.id, outcome.reason));
  };
  const bulk = bulkWriter(task.engine, {
    signal: task.signal,
    index: (items) => prepare(items.map(({ operation }) => documentOf(operation))),
    onOutcome,
  });
  try {
    for await (const { records, skipped, failed } of pages) {
      task.signal.throwIfAborted();
      counts.fetched += records.length + skipped.length + failed.length;
      counts.skipped += skipped.length;
      for (const { recordId, reason } of failed) fail(recordId, recordId, reason);
      for (const record of records) {
        const operation = { kind: 'upsert', id: record.documentId, document: stamped(task, record) } as const;
        const room = bulk.add({ operation, recordId: record.recordId });
        if (room !== undefined) await room;
      }
    }
    await bulk.finish();
  } finally {
    await bulk.settle();
  }
  return kept;
};

const documentOf = (operation: BulkItem['operation']): JsonObject =>
  operation.kind === 'upsert' ? operation.document : {};

/** If a record has several documents, the document is named too. */
const refusal = (recordId: string, documentId: string, reason: string): string =>
  recordId === documentId ? reason : `document ${documentId}: ${reason}`;

/** The document with its origin. */
const stamped = ({ repository, run }: JobTask, record: RepositoryRecord): JsonObject => {
  const { document, documentId, recordId, organization } = record;
  const origin: Origin = { repository: repository.config.code, organization, run };
  const own = recordId === documentId ? origin : { ...origin, record: recordId };
  return { ...withoutKeyField(document), [originField]: own as unknown as JsonObject };
};

/**
 * Creates an index, or extends its mapping if it is dynamic, so that it covers these documents.
 * @returns the index name, alias resolved, and which documents do not fit its types
 * @throws TributaryError CONFLICT the mapping cannot be extended that way; errors of the engine
 */
export type PrepareIndex = (documents: readonly JsonObject[]) => Promise<BulkTarget>;

export interface DynamicIndexParts {
  readonly engine: Engine;
  /** The index or alias. */
  readonly name: string;
  /** Keeps jobs that write to one index from changing its mapping concurrently. */
  readonly lock: KeyedLock;
  /** The already opened index; otherwise it is looked up, or created, with the first documents. */
  readonly opened?: OpenedIndex;
  /** Called when the mapping has changed. */
  readonly onGrown: () => void;
}

export type OpenedIndex = Pick<IndexTarget, 'index' | 'properties' | 'dynamic'>;

/** Attempts to extend a mapping that another process extends at the same time. */
const attempts = 3;

/** An index whose mapping grows with the documents written to it. */
export const dynamicIndex = (parts: DynamicIndexParts): PrepareIndex => {
  const { engine, name, lock, onGrown } = parts;
  let opened = parts.opened;
  return async (documents) => {
    opened ??= await lock(name, () => again(() => openIndex(engine, name, documents, onGrown)));
    const { index, dynamic, properties } = opened;
    const unknown = dynamic ? documents.filter((document) => !mappingCovers(properties, document)) : [];
    if (unknown.length === 0 || growth(properties, ...unknown) === null) return targetOf(opened);
    const grown = await lock(name, () => again(() => grow(engine, index, unknown)));
    opened = { index, dynamic, properties: grown };
    onGrown();
    return targetOf(opened);
  };
};

/** Documents are held to the rule of loaded files: what an index would keep and index as something else is refused. */
const targetOf = ({ index, properties }: OpenedIndex): BulkTarget => {
  const isOpaque = opaqueIn(properties);
  const problemOf = (document: JsonObject): string | null =>
    keyProblemIn(document, isOpaque) ?? typeMisfit(properties, expandedKeys(document, isOpaque), 'field');
  return { index, problemOf: (operation) => problemOf(documentOf(operation)) };
};

/** The properties that `originProperties` adds; {} for a mapping that has them. */
export const missingOrigin = (properties: JsonObject): JsonObject =>
  mappingType(properties, `${originField}.record`) === null ? originProperties : {};

const openIndex = async (
  engine: Engine,
  name: string,
  documents: readonly JsonObject[],
  onGrown: () => void,
): Promise<OpenedIndex> => {
  const existing = await describeIfThere(engine, name);
  const mapping =
    existing === null
      ? { dynamic: true, properties: { ...growth({}, ...documents), ...originProperties } }
      : { properties: missingOrigin(existing.properties) };
  const target = await openTarget(engine, { name, aliases: [], mapping, existing, replace: false });
  if (target.created) onGrown();
  return target;
};

/** Reads the mapping again, as others may have extended it since. @returns its properties now */
const grow = async (engine: Engine, index: string, documents: readonly JsonObject[]): Promise<JsonObject> => {
  const { properties } = await engine.describe(index);
  const added = growth(properties, ...documents);
  if (added === null) return properties;
  await engine.manage({ kind: 'extend', index, properties: added });
  return mergeProperties(properties, added);
};

const again = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const conflict = error instanceof TributaryError && error.code === 'CONFLICT';
      if (!conflict || attempt === attempts) throw error;
    }
  }
};
