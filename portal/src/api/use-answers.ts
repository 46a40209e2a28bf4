import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { catalogueAsked, extentsAsked, overviewAsked } from './asked.ts';
import type { Catalogue } from './catalogue.ts';
import type { Source } from './config.ts';
import { inLanguage } from './field-names.ts';
import type { FacetSizes, Question } from './questions.ts';

/** What can be asked of a source; asked once, and named in any language. */
export const useCatalogue = (source: Source, language: string) => {
  const { fieldNames } = source;
  const select = useCallback(
    (catalogue: Catalogue) => inLanguage(catalogue, fieldNames ?? {}, language),
    [fieldNames, language],
  );
  return useQuery({ ...catalogueAsked(source), select });
};

/** The numbers of a question. While a new one is asked, the last numbers stay, and `isPlaceholderData` says so. */
export const useOverview = (
  catalogue: Catalogue | undefined,
  question: Question,
  paths: readonly string[],
  sizes: FacetSizes,
) => {
  const asked = { ...(catalogue === undefined ? {} : { catalogue }), question, paths, sizes };
  const overview = useQuery({
    ...overviewAsked(useQueryClient(), asked),
    placeholderData: keepPreviousData,
  });
  // asked by the question itself: here they are only read
  const { data: extents } = useQuery({
    ...extentsAsked(catalogue, paths),
    enabled: false,
    placeholderData: keepPreviousData,
  });
  return { ...overview, extents };
};
