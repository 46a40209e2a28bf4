import { isMembership, MISSING } from '../../../src/sqon/ast.ts';
import { isGroup, isSearch, type Condition, type Filter, type FilterValue } from '../api/filter.ts';
import type { View } from './view.ts';

/** Pure changes of a view's filter. Each gives a new view. */

/** The conditions on one field; each is the same object as long as nobody changes it. */
export const conditionsOn = (view: View, path: string): readonly Condition[] =>
  (view.filters ?? []).filter((filter): filter is Condition => isConditionOn(filter, path));

const isConditionOn = (filter: Filter, path: string): boolean =>
  !isGroup(filter) && !isSearch(filter) && filter.content.fieldName === path;

/** The values chosen of a facet, and whether they are excluded. */
export const chosenOf = (
  view: View,
  path: string,
): { readonly values: readonly string[]; readonly isExcluded: boolean } => {
  const condition = conditionsOn(view, path).find(({ op }) => isMembership(op));
  return {
    values: condition === undefined ? [] : [condition.content.value].flat().map(String),
    isExcluded: condition?.op === 'not-in',
  };
};

/** Chooses these values of a facet instead of what was chosen; none removes its condition. */
export const withValues = (view: View, path: string, values: readonly string[], isExcluded = false): View => {
  const condition: Condition = {
    op: isExcluded ? 'not-in' : 'in',
    content: { fieldName: path, value: values },
  };
  return replaceOn(view, path, ({ op }) => isMembership(op), values.length === 0 ? null : condition);
};

const isRange = ({ op }: Condition): boolean => ['gt', 'gte', 'lt', 'lte', 'between'].includes(op);

/** Narrows a number or date; null leaves an end open. It takes the place of "no value". */
export const withRange = (
  view: View,
  path: string,
  from: string | number | null,
  to: string | number | null,
): View => replaceOn(withValues(view, path, []), path, isRange, rangeCondition(path, from, to));

/** Records without a number or date, instead of a range of them. */
export const withMissing = (view: View, path: string, isChosen: boolean): View =>
  withValues(replaceOn(view, path, isRange, null), path, isChosen ? [MISSING] : []);

/** A range; ends the wrong way round are swapped. null: open at both ends. */
export const rangeCondition = (
  path: string,
  from: string | number | null,
  to: string | number | null,
): Condition | null => {
  const condition = (op: Condition['op'], value: FilterValue): Condition => ({
    op,
    content: { fieldName: path, value },
  });
  if (from !== null && to !== null) return condition('between', from > to ? [to, from] : [from, to]);
  if (from !== null) return condition('gte', from);
  return to === null ? null : condition('lte', to);
};

/** The ends of a facet's range; null: open. */
export const rangeOf = (
  view: View,
  path: string,
): readonly [string | number | null, string | number | null] => {
  const condition = conditionsOn(view, path).find(isRange);
  return condition === undefined ? [null, null] : rangeEnds(condition);
};

/** The ends of one condition; null: open. */
export const rangeEnds = (
  condition: Condition,
): readonly [string | number | null, string | number | null] => {
  const value = condition.content.value as string | number | readonly (string | number)[];
  if (condition.op === 'between') return value as readonly [string | number, string | number];
  return condition.op === 'gte' || condition.op === 'gt'
    ? [value as string | number, null]
    : [null, value as string | number];
};

/** A search in words; an empty text removes it. */
export const withSearch = (view: View, fieldNames: readonly string[], text: string): View => {
  const others = (view.filters ?? []).filter((filter) => !isSearch(filter));
  return withFilters(
    view,
    text === '' ? others : [{ op: 'search', content: { fieldNames, value: text } }, ...others],
  );
};

/** The text in the search box. */
export const searchOf = ({ filters = [] }: View): string => filters.find(isSearch)?.content.value ?? '';

/** The view with other filters; `join` is kept only where there are several. */
export const withFilters = (view: View, filters: readonly Filter[]): View => {
  const { filters: _old, join, ...rest } = view;
  if (filters.length === 0) return rest;
  return filters.length > 1 && join === 'or' ? { ...rest, filters, join } : { ...rest, filters };
};

/** The opposite of a part: "is not" for "is", otherwise brackets with a not. */
export const negation = (filter: Filter): Filter => {
  if (!isGroup(filter) && !isSearch(filter)) {
    if (filter.op === 'in') return { ...filter, op: 'not-in' };
    if (filter.op === 'not-in') return { ...filter, op: 'in' };
  }
  if (isGroup(filter) && filter.op === 'not' && filter.content.length === 1) return filter.content[0]!;
  return { op: 'not', content: [filter] };
};

/** Puts a condition in the place of the facet's old one, or at the end; null takes it away. */
const replaceOn = (
  view: View,
  path: string,
  isOld: (condition: Condition) => boolean,
  condition: Condition | null,
): View => {
  const filters = view.filters ?? [];
  const at = filters.findIndex((filter) => isConditionOn(filter, path) && isOld(filter as Condition));
  if (at === -1) return withFilters(view, condition === null ? filters : [...filters, condition]);
  return withFilters(
    view,
    filters.flatMap((filter, index) => (index !== at ? [filter] : condition === null ? [] : [condition])),
  );
};
