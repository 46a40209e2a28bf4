import { TributaryError } from '../../lib/errors/errors.ts';
import { and, or, not } from '../../sqon/filter.ts';
import type { RecordPage } from '../repositories/repository.ts';
import { dynamicIndex, missingOrigin, surveyed, writeRecords, type OpenedIndex } from './record-writer.ts';
import { originField } from '../../introspection/fields/field.ts';
import type { JobTask, JobRequest } from './job.ts';
import {
  fromRepository,
  notOfRun,
  ofNoRepository,
  ofRecords,
  removeDocuments,
  copyDocuments,
} from './stored-documents.ts';
import type { Engine, IndexDescription } from '../../engines/engine.ts';
import { describeIfThere, isReplacement, replacementName, takeName } from '../index-target.ts';
import { isDynamic, mergeProperties } from '../mapping-body.ts';

type IndexRequest = Extract<JobRequest, { kind: 'index' }>;
type RecordRequest = Exclude<JobRequest, { kind: 'index' }>;

/**
 * Runs a job; resolves when everything is done and durable. Records that cannot be written are counted and do not end
 * the job.
 * @throws TributaryError UPSTREAM_FAILED the repository did not return everything, so nothing was removed; NOT_FOUND it
 *   does not have the record; errors of the engine; the signal's reason on abort
 */
export const runJob = async (task: JobTask): Promise<void> => {
  const { request } = task;
  switch (request.kind) {
    case 'index':
      return request.rebuild ? rebuildAll(task, request) : indexAll(task, request);
    case 'indexRecord':
      return indexRecord(task, request);
    case 'removeRecord':
      return removeRecord(task, request);
  }
};

const indexAll = async (task: JobTask, { organization }: IndexRequest): Promise<void> => {
  const kept = await writeAll(task, () => task.repository.fetchAll(organization, task.signal));
  await removeStale(task, kept, organization, null);
};

const rebuildAll = (task: JobTask, { organization }: IndexRequest): Promise<void> =>
  rebuildIndex(task, organization, (fresh) =>
    writeAll(task, () => task.repository.fetchAll(organization, task.signal), fresh),
  );

const indexRecord = async (task: JobTask, request: RecordRequest): Promise<void> => {
  const { organization, recordId } = request;
  const page = await task.repository.fetchOne(organization, recordId, task.signal);
  if (page === null)
    throw new TributaryError(
      'NOT_FOUND',
      `repository ${task.repository.config.code} has no record ${recordId} of ${organization}`,
    );
  const kept = await writeAll(task, () => [page]);
  await removeStale(task, kept, organization, recordId);
};

const removeRecord = async (task: JobTask, request: RecordRequest): Promise<void> => {
  const { code, indexName } = task.repository.config;
  const owned = or([fromRepository(code, request.organization), ofNoRepository]);
  const filter = and([owned, ofRecords([request.recordId])]);
  await removeDocuments(task, indexName, filter, new Set());
};

/**
 * Reads the records twice if the index has no fields yet, so that each field gets a type that accepts all of its values.
 * @returns the documents and records that could not be written
 */
const writeAll = async (
  task: JobTask,
  pages: () => AsyncIterable<RecordPage> | Iterable<RecordPage>,
  opened?: OpenedIndex,
): Promise<ReadonlySet<string>> => {
  const { engine, lock, repository } = task;
  const name = repository.config.indexName;
  const onGrown = opened === undefined ? task.onIndexed : () => undefined;
  const before = opened ?? (await describeIfThere(engine, name));
  const hasFields = Object.keys(before?.properties ?? {}).some((field) => field !== originField);
  const properties = hasFields ? {} : await surveyed(pages());
  const prepare = dynamicIndex({ engine, name, lock, onGrown, properties, ...(opened && { opened }) });
  return writeRecords(task, pages(), prepare);
};

/** Removes documents, of one record or all, that the repository returned earlier but not in this run. */
const removeStale = async (
  task: JobTask,
  kept: ReadonlySet<string>,
  organization: string | null,
  recordId: string | null,
): Promise<void> => {
  const { code, indexName } = task.repository.config;
  const before = and([fromRepository(code, organization), notOfRun(task.run)]);
  const filter = recordId === null ? before : and([before, ofRecords([recordId])]);
  await removeDocuments(task, indexName, filter, kept);
};

/** Values per condition, within the limit of every engine. */
const recordsAtOnce = 1_000;

/**
 * Fills a fresh index and moves the name to it when it is complete. Documents that others wrote to the old index are
 * copied. If anything fails, the fresh index is deleted and the old one stays in use.
 * @param fill writes the repository's records to the fresh index; returns the documents and records that it could not
 *   write, whose previous versions are copied too
 */
const rebuildIndex = async (
  task: JobTask,
  organization: string | null,
  fill: (fresh: OpenedIndex) => Promise<ReadonlySet<string>>,
): Promise<void> => {
  const { engine, repository } = task;
  const name = repository.config.indexName;
  const existing = await describeIfThere(engine, name);
  await dropLeftBehind(task, name);
  const fresh = await createFresh(task, name, existing);
  try {
    const own = fromRepository(repository.config.code, organization);
    const copy = { from: name, to: fresh.index };
    if (existing !== null) await copyDocuments(task, { ...copy, filter: not(own), onlyMissing: false });
    const kept = [...(await fill(fresh))];
    for (let at = 0; existing !== null && at < kept.length; at += recordsAtOnce) {
      const previous = and([own, ofRecords(kept.slice(at, at + recordsAtOnce))]);
      await copyDocuments(task, { ...copy, filter: previous, onlyMissing: true });
    }
    task.signal.throwIfAborted();
    await takeName(engine, name, fresh.index, existing);
    task.fresh.removeFresh(fresh.index);
    task.onIndexed();
  } catch (error) {
    // if the engine is unavailable, the next rebuild tries again
    await drop(task, name, fresh.index).catch(() => undefined);
    throw error;
  }
};

/** Uses the old index's mapping, so that all its documents fit, and the settings that the mapping may need. */
const createFresh = async (
  task: JobTask,
  name: string,
  existing: IndexDescription | null,
): Promise<OpenedIndex> => {
  const before = existing?.properties ?? {};
  const properties = mergeProperties(before, missingOrigin(before));
  const mapping = { ...existing?.dynamicRules, dynamic: existing?.dynamic ?? true, properties };
  const index = replacementName(name);
  task.fresh.addFresh(index);
  const settings = existing?.settings;
  await task.engine.manage({ kind: 'create', index, mapping, ...(settings && { settings }) });
  return { index, properties, dynamic: isDynamic(mapping) };
};

/** Nothing else fills an index for this name now: recorded indexes are leftovers of interrupted attempts. */
const dropLeftBehind = async (task: JobTask, name: string): Promise<void> => {
  for (const index of task.fresh.freshIndexes())
    if (isReplacement(index, name)) await drop(task, name, index);
};

/** Deletes a fresh index, unless it already has the name. */
const drop = async ({ engine, fresh }: JobTask, name: string, index: string): Promise<void> => {
  const inUse = (await indicesOf(engine, name)).includes(index);
  if (!inUse) await engine.manage({ kind: 'delete', index });
  fresh.removeFresh(index);
};

const indicesOf = async (engine: Engine, name: string): Promise<readonly string[]> =>
  (await describeIfThere(engine, name))?.indices ?? [];
