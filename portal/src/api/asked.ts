import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Overview } from './answer.ts';
import { describe, type Catalogue } from './catalogue.ts';
import type { Source } from './config.ts';
import type { Extents } from './extents.ts';
import { askExtents, askOverview, type FacetSizes, type Question } from './questions.ts';

const shortMs = 60_000;
const longMs = 300_000;

/** What can be asked of a source, under the name that its answer is kept by. */
export const catalogueAsked = (source: Source) =>
  queryOptions({
    queryKey: ['catalogue', source.id],
    queryFn: ({ signal }) => describe(source, signal),
    staleTime: longMs,
  });

/** Where the numbers of facets begin and end. */
export const extentsAsked = (catalogue: Catalogue | undefined, paths: readonly string[]) =>
  queryOptions({
    queryKey: ['extents', catalogue?.source.id, paths],
    queryFn: ({ signal }) => askExtents(catalogue!, paths, signal),
    enabled: catalogue !== undefined,
    staleTime: longMs,
  });

interface OverviewAsked {
  readonly catalogue: Catalogue | undefined;
  readonly question: Question;
  readonly paths: readonly string[];
  readonly sizes: FacetSizes;
  /** undefined: not known yet. */
  readonly extents: Extents | undefined;
  /** The extents are those of the facets before. */
  readonly areExtentsOld?: boolean;
}

/** The numbers of a question; kept as they grow, while institutions still answer. */
export const overviewAsked = (
  client: QueryClient,
  { catalogue, question, paths, sizes, extents, areExtentsOld = false }: OverviewAsked,
) => {
  const queryKey = ['overview', catalogue?.source.id, question, paths, sizes, areExtentsOld];
  return queryOptions<Overview>({
    queryKey,
    queryFn: ({ signal }) => {
      const grown = (now: Overview): void => {
        if (!signal.aborted) client.setQueryData(queryKey, now);
      };
      return askOverview(catalogue!, question, paths, extents ?? new Map(), sizes, signal, grown);
    },
    enabled: catalogue !== undefined && extents !== undefined,
    staleTime: (query) => (query.state.data?.partial ? 0 : shortMs),
  });
};
