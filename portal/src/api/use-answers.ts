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
  const extents = useQuery({ ...extentsAsked(catalogue, paths), placeholderData: keepPreviousData });
  const overview = useQuery({
    ...overviewAsked(useQueryClient(), {
      catalogue,
      question,
      paths,
      sizes,
      extents: extents.data,
      areExtentsOld: extents.isPlaceholderData,
    }),
    placeholderData: keepPreviousData,
  });
  return { ...overview, error: extents.error ?? overview.error, extents: extents.data };
};
