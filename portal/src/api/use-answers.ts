import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { catalogueQuery, extentsQuery, overviewQuery } from './queries.ts';
import type { Catalogue } from './catalogue.ts';
import type { Source } from './config.ts';
import { inLanguage } from './field-names.ts';
import type { FacetSizes, Question } from './questions.ts';

/** What can be queried of a source; fetched once, and named in any language. */
export const useCatalogue = (source: Source, language: string) => {
  const { fieldNames } = source;
  const select = useCallback(
    (catalogue: Catalogue) => inLanguage(catalogue, fieldNames ?? {}, language),
    [fieldNames, language],
  );
  return useQuery({ ...catalogueQuery(source), select });
};

/** The numbers of a question. While a new one is fetched, the last numbers stay, marked by `isPlaceholderData`. */
export const useOverview = (
  catalogue: Catalogue | undefined,
  question: Question,
  paths: readonly string[],
  sizes: FacetSizes,
) => {
  const input = { ...(catalogue === undefined ? {} : { catalogue }), question, paths, sizes };
  const overview = useQuery({
    ...overviewQuery(useQueryClient(), input),
    placeholderData: keepPreviousData,
  });
  // fetched by the question itself: here they are only read
  const { data: extents } = useQuery({
    ...extentsQuery(catalogue, paths),
    enabled: false,
    placeholderData: keepPreviousData,
  });
  return { ...overview, extents };
};
