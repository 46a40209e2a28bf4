import type { Hit, WriteOutcome } from '../../engines/engine.ts';
import { TributaryError } from '../../lib/errors/errors.ts';
import { documentKey, originField, type IndexField, type Origin } from '../../introspection/fields/field.ts';
import { isJsonObject } from '../../lib/json/json.ts';
import { and, not, or, type Filter } from '../../sqon/filter.ts';
import { bulkWriter, type BulkItem } from '../bulk-writer.ts';
import { readPage, type HitsPage } from '../read-documents.ts';
import type { JobTask } from './job.ts';

/** For pages with keys only; whole documents may be large. */
const keysAtOnce = 1_000;
const documentsAtOnce = 250;

/**
 * Removes the documents that match a filter, except those in `kept`, by document or record. Does nothing if the index is missing.
 */
export const removeDocuments = async (
  task: JobTask,
  index: string,
  filter: Filter,
  kept: ReadonlySet<string>,
): Promise<void> => {
  const onOutcome = ({ recordId }: BulkItem, outcome: WriteOutcome): void => {
    if (outcome.status === 'deleted') task.progress.counts.removed += 1;
    else if (outcome.status === 'refused') task.progress.fail(recordId, outcome.reason);
  };
  const bulk = bulkWriter(task.engine, { signal: task.signal, index: async () => ({ index }), onOutcome });
  const search = { index, filter, source: [`${originField}.record`], size: keysAtOnce };
  try {
    for await (const hits of pagesOf(task, search))
      for (const hit of hits) {
        const recordId = recordOf(hit);
        if (kept.has(hit.id) || kept.has(recordId)) continue;
        await bulk.add({ operation: { kind: 'delete', id: hit.id }, recordId });
      }
    await bulk.finish();
  } catch (error) {
    if (!(error instanceof TributaryError && error.code === 'index_not_found')) throw error;
  } finally {
    await bulk.settle();
  }
};

export interface CopyRequest {
  readonly from: string;
  readonly to: string;
  readonly filter: Filter;
  /** Skips documents that the target index has. */
  readonly onlyMissing: boolean;
}

/**
 * Copies the documents that match a filter from one index to another, unchanged.
 * @throws TributaryError ENGINE_ERROR the target index refuses a document
 */
export const copyDocuments = async (task: JobTask, request: CopyRequest): Promise<void> => {
  const { from, to, filter, onlyMissing } = request;
  const onOutcome = ({ operation }: BulkItem, outcome: WriteOutcome): void => {
    if (outcome.status === 'refused')
      throw new TributaryError(
        'ENGINE_ERROR',
        `document ${operation.id} cannot be copied to the new index: ${outcome.reason}`,
      );
  };
  const bulk = bulkWriter(task.engine, {
    signal: task.signal,
    index: async () => ({ index: to }),
    onOutcome,
  });
  const search = { index: from, filter, source: null, size: documentsAtOnce };
  try {
    for await (const hits of pagesOf(task, search)) {
      const there = onlyMissing ? await idsAmong(task, to, hits) : new Set<string>();
      for (const { id, source } of hits)
        if (!there.has(id))
          await bulk.add({ operation: { kind: 'upsert', id, document: source }, recordId: id });
    }
    await bulk.finish();
  } finally {
    await bulk.settle();
  }
};

const idsAmong = async (task: JobTask, index: string, hits: readonly Hit[]): Promise<ReadonlySet<string>> => {
  const filter: Filter = { kind: 'terms', field: documentKey.indexField, values: hits.map(({ id }) => id) };
  const found = new Set<string>();
  for await (const page of pagesOf(task, { index, filter, source: [], size: documentsAtOnce }))
    for (const { id } of page) found.add(id);
  return found;
};

type Search = Omit<HitsPage, 'searchAfter'> & { readonly index: string };

/** All hits, page by page. @throws TributaryError ENGINE_ERROR a page is incomplete; errors of the engine */
const pagesOf = async function* (
  { engine, signal }: JobTask,
  { index, ...search }: Search,
): AsyncGenerator<readonly Hit[]> {
  let searchAfter: Hit['cursor'] | null = null;
  for (;;) {
    const hits: readonly Hit[] = await readPage(engine, index, { ...search, searchAfter }, signal);
    if (hits.length > 0) yield hits;
    if (hits.length < search.size) return;
    searchAfter = hits.at(-1)!.cursor;
  }
};

const recordOf = ({ id, source }: Hit): string => {
  const origin = source[originField];
  const record = isJsonObject(origin) ? origin['record'] : undefined;
  return typeof record === 'string' ? record : id;
};

const fieldOf = (part: keyof Origin): IndexField => ({
  path: `${originField}.${part}`,
  type: 'keyword',
  nestedIn: [],
});

const is = (part: keyof Origin, value: string): Filter => ({
  kind: 'terms',
  field: fieldOf(part),
  values: [value],
});

/** The documents of a repository, or of one organization in it. */
export const fromRepository = (repository: string, organization: string | null): Filter =>
  and([is('repository', repository), ...(organization === null ? [] : [is('organization', organization)])]);

/** Documents not written by this run. */
export const notOfRun = (run: string): Filter => not(is('run', run));

/** The documents of some records. */
export const ofRecords = (recordIds: readonly string[]): Filter =>
  or([
    { kind: 'terms', field: documentKey.indexField, values: recordIds },
    { kind: 'terms', field: fieldOf('record'), values: recordIds },
  ]);

/** Documents that no job wrote, such as those loaded from files. */
export const ofNoRepository: Filter = not({ kind: 'exists', field: fieldOf('repository') });
