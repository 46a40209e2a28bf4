import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { MISSING } from '../../../src/sqon/ast.ts';
import type { Bucket, Facet } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { nestedAbove } from '../api/filter.ts';
import { totalQuery } from '../api/queries.ts';
import type { Question } from '../api/questions.ts';
import { missingBucket } from '../look/honest.ts';
import { choiceOf, withMissing } from '../state/edit.ts';
import type { View } from '../state/view.ts';
import { questionOf } from './view-question.ts';

/**
 * The records of a view without a value of a field; null if it is not known. Facets of values count them, but in lists they
 * count the records with some object that has none.
 */
export const useMissing = (catalogue: Catalogue, view: View, facet: Facet): Bucket | null => {
  const { path } = facet;
  // a field of a network may be in a list of some institution
  const isInList = catalogue.source.kind === 'network' || nestedAbove(path, catalogue.fields).length > 0;
  const isAsked = facet.kind !== 'values' || (isInList && (facet.missing?.count ?? 0) > 0);
  const question = useMemo(() => missingIn(view, path, catalogue), [view, path, catalogue]);
  const { data } = useQuery({
    ...totalQuery(isAsked ? catalogue : undefined, question),
    placeholderData: keepPreviousData,
  });
  if (facet.kind === 'values' && !isAsked) return facet.missing;
  return data === undefined ? null : missingBucket(data);
};

/** The view's conditions on the field itself are left out, as in facets. */
const missingIn = (view: View, path: string, catalogue: Catalogue): Question => {
  if (view.join !== 'or') return questionOf(withMissing(view, path, true), catalogue);
  const without = choiceOf(path, [MISSING]);
  const { filter } = questionOf({ filters: [without] }, catalogue);
  const { filter: before, nodes } = questionOf(view, catalogue);
  return { filter: before === null ? filter : { op: 'and', content: [before, filter!] }, nodes };
};
