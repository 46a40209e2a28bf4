import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { catalogueQuery, extentsQuery, overviewQuery, totalQuery } from './queries.ts';
import type { Catalogue } from './catalogue.ts';
import type { Source } from './config.ts';
import { inLanguage } from './field-names.ts';
import type { FacetSizes, Question } from './questions.ts';
import type { Bucket } from './answer.ts';
import { MISSING } from '../../../src/sqon/ast.ts';

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

/** The records without a number or date. @param question finds them @returns null while it is not known */
export const useMissing = (catalogue: Catalogue, path: string, question: Question): Bucket | null => {
  const { data } = useQuery({
    ...totalQuery(catalogue, question),
    placeholderData: keepPreviousData,
  });
  if (data?.total == null) return null;
  const { total: count, upper, estimate } = data;
  return { key: MISSING, label: null, count, upper, estimate, nodes: null };
};
