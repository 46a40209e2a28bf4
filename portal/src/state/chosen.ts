import type { SqonScalar } from '../../../src/sqon/ast.ts';
import { bareOf, isGroup, isSearch, type Filter } from '../api/filter.ts';
import type { View } from './view.ts';

/** The selected values of a facet, and whether they are excluded. */
export const chosenOf = (
  view: View,
  path: string,
): { readonly values: readonly string[]; readonly isExcluded: boolean } => {
  const chosen = (view.filters ?? []).map((filter) => choiceIn(filter, path)).find((one) => one !== null);
  return chosen ?? { values: [], isExcluded: false };
};

type Choice = ReturnType<typeof chosenOf>;

/** Operators that mean any of some values, or none; adding a value to others would change their meaning. */
const choices: readonly string[] = ['in', 'is', 'not-in'];

/** The values of a field that a part of the filter selects; null if it is something else. */
export const choiceIn = (part: Filter, path: string): Choice | null => {
  const filter = bareOf(part);
  if (isSearch(filter)) return null;
  if (!isGroup(filter)) {
    const { op, content } = filter;
    if (content.fieldName !== path || !choices.includes(op)) return null;
    return { values: [content.value].flat().map(keyOf), isExcluded: op === 'not-in' };
  }
  if (filter.pivot !== undefined || filter.op === 'and') return null;
  const parts = filter.content.map((part) => choiceIn(part, path));
  const isChoice = parts.length > 0 && parts.every((part) => part !== null && !part.isExcluded);
  const isExcluded = filter.op === 'not';
  return isChoice ? { values: parts.flatMap((part) => part!.values), isExcluded } : null;
};

/** Facets count true and false, as in documents, under 1 and 0. */
const keyOf = (value: SqonScalar): string => String(typeof value === 'boolean' ? Number(value) : value);
