import type { Engine } from '../engines/engine.ts';
import { TributaryError } from '../lib/errors/errors.ts';
import { documentKey } from '../introspection/fields/field.ts';
import type { Filter } from '../sqon/filter.ts';
import { writeBatch } from './write-batch.ts';

/** Documents deleted per write; within the result window of every engine. */
const atOnce = 1_000;

/** What to delete: disjoint filters, so that each document matches at most one. */
export type DeletionFilters = readonly Filter[];

/** Filters for the documents with these keys, each small enough for every engine. */
export const filtersOfKeys = (keys: ReadonlySet<string>): DeletionFilters => {
  const all = [...keys];
  return Array.from({ length: Math.ceil(all.length / atOnce) }, (_, part) => ({
    kind: 'terms',
    field: documentKey.indexField,
    values: all.slice(part * atOnce, (part + 1) * atOnce),
  }));
};

/** How many documents match. @throws TributaryError from the engine */
export const countMatching = async (
  engine: Engine,
  index: string,
  condemned: DeletionFilters,
): Promise<number> => {
  let count = 0;
  for (const filter of condemned) {
    const { hits, warnings } = await search(engine, index, filter, 0);
    if (warnings.length > 0 || hits?.total == null)
      throw new TributaryError(
        'ENGINE_ERROR',
        `${index} cannot be counted as a whole: ${warnings.join('; ')}`,
      );
    count += hits.total;
  }
  return count;
};

/**
 * Deletes the matching documents, including those that start to match while it runs.
 * @returns the number of deleted documents
 * @throws TributaryError ENGINE_ERROR when the engine does not delete a document; errors of the engine. Earlier deletions
 *   are not undone.
 */
export const deleteMatching = async (
  engine: Engine,
  index: string,
  condemned: DeletionFilters,
): Promise<number> => {
  let deleted = 0;
  for (const filter of condemned) {
    for (;;) {
      const ids = ((await search(engine, index, filter, atOnce)).hits?.hits ?? []).map(({ id }) => id);
      if (ids.length === 0) break;
      deleted += await deleteAll(engine, index, ids);
    }
  }
  return deleted;
};

const search = (engine: Engine, index: string, filter: Filter, size: number) =>
  engine.search(index, {
    hits: { filter, size, offset: 0, sort: [], searchAfter: null, source: [], trackTotal: size === 0 },
    facets: [],
  });

const deleteAll = async (engine: Engine, index: string, ids: readonly string[]): Promise<number> => {
  const outcomes = await writeBatch(
    engine,
    index,
    ids.map((id) => ({ kind: 'delete', id })),
  );
  outcomes.forEach((outcome, at) => {
    if (outcome.status === 'refused')
      throw new TributaryError('ENGINE_ERROR', `document ${ids[at]!} cannot be deleted: ${outcome.reason}`);
  });
  return outcomes.filter(({ status }) => status === 'deleted').length;
};
