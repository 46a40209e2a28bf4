import type { Engine, IndexDescription } from '../../engines/engine.ts';
import { and, not } from '../../sqon/filter.ts';
import { describeIfThere, isReplacement, replacementName, takeName } from '../index-target.ts';
import { isDynamic, mergeProperties } from '../mapping-body.ts';
import type { OpenedIndex } from './dynamic-index.ts';
import { missingOrigin } from './dynamic-index.ts';
import type { JobTask } from './job-progress.ts';
import { fromRepository, ofRecords } from './origin-filter.ts';
import { copyDocuments } from './stored-documents.ts';

/** Values per condition, within the limit of every engine. */
const recordsAtOnce = 1_000;

/**
 * Fills a fresh index and moves the name to it when it is complete. Documents that others wrote to the old index are
 * copied. If anything fails, the fresh index is deleted and the old one stays in use.
 * @param fill writes the repository's records to the fresh index; returns the documents and records that it could not
 *   write, whose previous versions are copied too
 */
export const rebuildIndex = async (
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

/** Nothing else fills an index for this name now: those on record are leftovers of interrupted attempts. */
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
