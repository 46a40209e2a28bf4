import { useQueries } from '@tanstack/react-query';
import type { Overview } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { linkNested, type Filter } from '../api/filter.ts';
import { fetchOverview } from '../api/questions.ts';

/** How many records each of some filters finds. @param nodes the institutions that are queried; null: all */
export const useSizes = (
  catalogue: Catalogue | undefined,
  filters: readonly (Filter | null)[],
  nodes: readonly string[] | null = null,
) =>
  useQueries({
    queries: filters.map((own) => {
      const filter = own && catalogue ? linkNested(own, catalogue.fields) : own;
      return {
        queryKey: ['size', catalogue?.source.id, filter, nodes],
        queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Overview> =>
          fetchOverview(catalogue!, { filter, nodes }, [], new Map(), { asUsual: 0, more: {} }, signal),
        enabled: catalogue !== undefined,
      };
    }),
  });
