import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Overview } from './answer.ts';
import { describe, type Catalogue } from './catalogue.ts';
import type { Source } from './config.ts';
import { inLanguage } from './field-names.ts';
import { askExtents, askOverview, type FacetSizes, type Question } from './questions.ts';

/** What can be asked of a source; asked once, and named in any language. */
export const useCatalogue = (source: Source, language: string) => {
  const { fieldNames } = source;
  const select = useCallback(
    (catalogue: Catalogue) => inLanguage(catalogue, fieldNames ?? {}, language),
    [fieldNames, language],
  );
  return useQuery({
    queryKey: ['catalogue', source.id],
    queryFn: ({ signal }) => describe(source, signal),
    staleTime: 300_000,
    select,
  });
};

/** The numbers of a question. While a new one is asked, the last numbers stay, and `isPlaceholderData` says so. */
export const useOverview = (
  catalogue: Catalogue | undefined,
  question: Question,
  paths: readonly string[],
  sizes: FacetSizes,
) => {
  const extents = useQuery({
    queryKey: ['extents', catalogue?.source.id, paths],
    queryFn: ({ signal }) => askExtents(catalogue!, paths, signal),
    enabled: catalogue !== undefined,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
  });
  const client = useQueryClient();
  const queryKey = ['overview', catalogue?.source.id, question, paths, sizes, extents.isPlaceholderData];
  const overview = useQuery<Overview>({
    queryKey,
    queryFn: ({ signal }) => {
      const grown = (now: Overview): void => {
        if (!signal.aborted) client.setQueryData(queryKey, now);
      };
      return askOverview(catalogue!, question, paths, extents.data ?? new Map(), sizes, signal, grown);
    },
    enabled: catalogue !== undefined && extents.data !== undefined,
    placeholderData: keepPreviousData,
    staleTime: (query) => (query.state.data?.partial ? 0 : 60_000),
  });
  return { ...overview, error: extents.error ?? overview.error, extents: extents.data };
};
