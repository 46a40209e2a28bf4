import type { WriteOperation, WriteOutcome, Engine } from '../../engines/engine.ts';
import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import { originField, originProperties, type Origin } from '../../introspection/fields/field.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { withoutKeyField } from '../file-import/document-id.ts';
import type { RecordPage, RepositoryRecord } from '../repositories/repository.ts';
import { bulkWriter, type BulkItem, type BulkTarget } from '../bulk-writer.ts';
import { typeMisfit } from '../file-import/inference/type-check.ts';
import { expandedKeys, keyProblemIn, opaqueIn } from '../../introspection/mapping/expanded-keys.ts';
import type { JobTask } from './job.ts';
import { growth, unknownTo } from '../../introspection/mapping/infer.ts';
import { describeIfThere, openTarget, type IndexTarget } from '../index-target.ts';
import { grownMapping, mappingCovers, mappingType, mergeProperties } from '../mapping-body.ts';
import { documentRenamer } from '../file-import/foreign-names.ts';
import { newSurvey } from '../file-import/inference/survey.ts';
import { servable } from '../file-import/planned-mapping.ts';
import { roundFractions } from '../round-fractions.ts';
import type { KeyedLock } from '../../lib/concurrency/locks.ts';

/** With more failed records, the whole job fails. Bounds the memory of `kept`. */
const maxKeptErrors = 100_000;

/**
 * Writes pages of records as documents marked with their origin, and counts the outcomes. Resolves when all writes are
 * durable, rejects when no writes are in progress any more.
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
      throw badUserInput(`more than ${maxKeptErrors} records could not be indexed, the last one: ${reason}`);
  };
  const onOutcome = ({ recordId, operation }: BulkItem, outcome: WriteOutcome): void => {
    if (outcome.status !== 'refused') counts.indexed += 1;
    else fail(recordId, operation.id, refusal(recordId, operation.id, outcome.reason));
  };
  const bulk = bulkWriter(task.engine, {
    signal: task.signal,
    index: prepare,
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
        const room = bulk.add({ operation, recordId: record.recordId, rounded: record.rounded ?? null });
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

/** If a record has several documents, the id of the document is included. */
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
 * @returns the index name, alias resolved, the documents as they are written, and those that do not fit its types
 * @throws TributaryError CONFLICT the mapping cannot be extended in this way; errors of the engine
 */
export type PrepareIndex = (items: readonly BulkItem[]) => Promise<BulkTarget>;

/**
 * The fields of an index for the documents of a repository: types that accept all of their values. If GraphQL cannot
 * distinguish names, the first one is kept.
 */
export const surveyed = async (
  pages: AsyncIterable<RecordPage> | Iterable<RecordPage>,
): Promise<JsonObject> => {
  const survey = newSurvey();
  const rename = renaming({});
  for await (const { records } of pages)
    for (const { document, rounded = null } of records) {
      const named = rename(document);
      if (keyProblemIn(named) !== null) continue;
      const values = { document: expandedKeys(named), rounded: rounded && expandedKeys(rename(rounded)) };
      survey.add({ kind: 'document', line: 0, id: null, bytes: 0, ...values });
    }
  return servable(survey.properties(), {}, {});
};

/** Renames fields whose names GraphQL does not allow, as when loading files, except those in the mapping. */
const renaming = (properties: JsonObject): ((document: JsonObject) => JsonObject) => {
  const isMapped = (path: string): boolean => mappingType(properties, path) !== null;
  return documentRenamer({ isMapped, isOpaque: opaqueIn(properties), onRenamed: () => undefined });
};

export interface DynamicIndexParts {
  readonly engine: Engine;
  /** The index or alias. */
  readonly name: string;
  /** Prevents jobs that write to one index from changing its mapping concurrently. */
  readonly lock: KeyedLock;
  /** The index if it is open already; otherwise it is looked up, or created, with the first documents. */
  readonly opened?: OpenedIndex;
  /** The fields to create it with. */
  readonly properties?: JsonObject;
  /** Called when the mapping has changed. */
  readonly onGrown: () => void;
}

export type OpenedIndex = Pick<IndexTarget, 'index' | 'properties' | 'dynamic'>;

/** Attempts to extend a mapping that another process is extending at the same time. */
const attempts = 3;

/** An index whose mapping grows with the documents written to it. */
export const dynamicIndex = (parts: DynamicIndexParts): PrepareIndex => {
  const { engine, name, lock, onGrown } = parts;
  let opened = parts.opened;
  let settled: JsonObject | null = null;
  return async (given) => {
    opened ??= await lock(name, () => again(() => openIndex(parts)));
    const { index, dynamic, properties } = opened;
    const lacking = dynamic && settled === null ? unknownTo(properties, parts.properties ?? {}) : null;
    settled ??= properties;
    const rename = renaming(properties);
    const before = lacking === null ? properties : mergeProperties(properties, lacking);
    const items = given.map((item) => roundedItem(renamedItem(item, rename), before));
    const collisions = new Map<WriteOperation, string>();
    const uncovered: JsonObject[] = [];
    let seen = before;
    for (const { operation, rounded } of items) {
      const document = rounded ?? documentOf(operation);
      if (!dynamic || mappingCovers(before, document)) continue;
      const { extended, reason } = grownMapping(seen, document, { dynamic, properties: settled });
      seen = extended;
      if (reason === null) uncovered.push(document);
      else collisions.set(operation, reason);
    }
    // types that accept the values of the whole batch
    const added = uncovered.length === 0 ? null : growth(before, ...uncovered);
    const wanted = added === null ? before : mergeProperties(before, added);
    if (wanted !== properties) {
      opened = {
        index,
        dynamic,
        properties: await lock(name, () => again(() => grow(engine, index, wanted))),
      };
      onGrown();
    }
    return targetOf(opened, items, collisions);
  };
};

const renamedItem = (item: BulkItem, rename: ReturnType<typeof renaming>): BulkItem => {
  const { operation, rounded } = item;
  if (operation.kind !== 'upsert') return item;
  const document = rename(operation.document);
  return document === operation.document
    ? item
    : { ...item, operation: { ...operation, document }, rounded: rounded ? rename(rounded) : null };
};

const roundedItem = (item: BulkItem, properties: JsonObject): BulkItem => {
  const { operation, rounded = null } = item;
  if (operation.kind !== 'upsert' || rounded === null) return item;
  const document = roundFractions({ document: operation.document, rounded }, properties);
  return { ...item, operation: { ...operation, document } };
};

/** Applies the rules of loaded files to documents: values that an index would convert for indexing are refused. */
const targetOf = (
  { index, properties }: OpenedIndex,
  items: readonly BulkItem[],
  collisions: ReadonlyMap<WriteOperation, string>,
): BulkTarget => {
  const isOpaque = opaqueIn(properties);
  const problemOf = (document: JsonObject): string | null =>
    keyProblemIn(document, isOpaque) ?? typeMisfit(properties, expandedKeys(document, isOpaque), 'field');
  return {
    index,
    items,
    problemOf: (operation) => collisions.get(operation) ?? problemOf(documentOf(operation)),
  };
};

/** The properties that `originProperties` adds; {} for a mapping that has them. */
export const missingOrigin = (properties: JsonObject): JsonObject =>
  mappingType(properties, `${originField}.record`) === null ? originProperties : {};

const openIndex = async ({
  engine,
  name,
  onGrown,
  properties = {},
}: DynamicIndexParts): Promise<OpenedIndex> => {
  const existing = await describeIfThere(engine, name);
  const mapping =
    existing === null
      ? { dynamic: true, properties: { ...properties, ...originProperties } }
      : { properties: missingOrigin(existing.properties) };
  const target = await openTarget(engine, { name, aliases: [], mapping, existing, replace: false });
  if (target.created) onGrown();
  return target;
};

/** Reads the mapping again, as others may have extended it meanwhile. @returns its current properties */
const grow = async (engine: Engine, index: string, wanted: JsonObject): Promise<JsonObject> => {
  const { properties } = await engine.describe(index);
  const added = unknownTo(properties, wanted);
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
