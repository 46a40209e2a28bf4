import { useQueries } from '@tanstack/react-query';
import type { Catalogue } from '../api/catalogue.ts';
import { linkNested, type Filter } from '../api/filter.ts';
import { totalQuery } from '../api/queries.ts';

/** How many records each of some filters finds. @param nodes the institutions to query; null: all */
export const useSizes = (
  catalogue: Catalogue | undefined,
  filters: readonly (Filter | null)[],
  nodes: readonly string[] | null = null,
) =>
  useQueries({
    queries: filters.map((own) =>
      totalQuery(catalogue, { filter: own && catalogue ? linkNested(own, catalogue.fields) : own, nodes }),
    ),
  });
