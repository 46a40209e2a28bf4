import type { Engine } from '../../../src/engines/engine.ts';
import { all } from '../../../src/sqon/filter.ts';
import { field } from '../cases/case.ts';

/** What an engine answers about the documents of `batches.ts`. */
export interface FoundBatches {
  /** For each document the batch that wrote it, from its source. */
  readonly stored: ReadonlyMap<string, number>;
  /** Documents for each batch as a facet counts them, from the columns. */
  readonly byFacet: Readonly<Record<string, number>>;
  /** Counted from `stored`. */
  readonly byDocument: Readonly<Record<string, number>>;
}

/** Asks for every document of index `parts` and for a facet over all of them. */
export const foundBatches = async (engine: Engine): Promise<FoundBatches> => {
  const { hits, facets } = await engine.search('parts', {
    hits: {
      filter: all,
      size: 100_000,
      offset: 0,
      sort: [],
      searchAfter: null,
      source: null,
      trackTotal: true,
    },
    facets: [
      { field: field('batch', 'integer'), filter: all, objects: {}, measure: { kind: 'terms', size: null } },
    ],
  });
  const stored = new Map(hits!.hits.map(({ id, source }) => [id, Number(source['batch'])]));
  const byDocument: Record<string, number> = {};
  for (const batch of stored.values()) byDocument[batch] = (byDocument[batch] ?? 0) + 1;
  const buckets = facets[0]?.kind === 'terms' ? facets[0].buckets : [];
  return { stored, byDocument, byFacet: Object.fromEntries(buckets.map(({ key, count }) => [key, count])) };
};
