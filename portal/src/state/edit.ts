import { MISSING, SET_PREFIX, type SqonScalar } from '../../../src/sqon/ast.ts';
import { timeOf } from '../api/fields.ts';
import {
  bareOf,
  isGroup,
  isOfWords,
  isSearch,
  type Condition,
  type Filter,
  type FilterValue,
  type Linked,
} from '../api/filter.ts';
import { choiceIn } from './chosen.ts';
import type { View } from './view.ts';

/** Pure changes of a view's filter. Each returns a new view. */

/** The conditions on one field; each stays the same object until it is changed. */
export const conditionsOn = (view: View, path: string): readonly Filter[] =>
  (view.filters ?? []).filter((filter) => isAbout(filter, path));

const isAbout = (filter: Filter, path: string): boolean =>
  isGroup(filter)
    ? filter.content.some((part) => isAbout(part, path))
    : !isSearch(filter) && filter.content.fieldName === path;

const isConditionOn = (filter: Filter, path: string): boolean =>
  conditionIn(filter)?.content.fieldName === path;

/** A condition, alone or as one that any object may meet; null: something else. */
const conditionIn = (filter: Filter): Condition | null => {
  const bare = bareOf(filter);
  return isGroup(bare) || isSearch(bare) ? null : bare;
};

/** Selects these values of a facet instead of the previous ones; an empty list removes its condition. */
export const withValues = (view: View, path: string, values: readonly string[], isExcluded = false): View =>
  replaceOn(
    view,
    (filter) => choiceIn(filter, path) !== null,
    values.length === 0 ? null : choiceOf(path, values, isExcluded),
  );

/** A selection of values. Values that `in` would not take literally are in a list of `is`. */
export const choiceOf = (path: string, values: readonly SqonScalar[], isExcluded = false): Filter => {
  const literal = values.filter(isLiteral);
  if (literal.length === 0) return conditionOn(path, isExcluded ? 'not-in' : 'in', values);
  const others = values.filter((value) => !literal.includes(value));
  const chosen = [
    conditionOn(path, 'is', literal),
    ...(others.length === 0 ? [] : [conditionOn(path, 'in', others)]),
  ];
  if (isExcluded) return { op: 'not', content: chosen };
  return chosen.length === 1 ? chosen[0]! : { op: 'or', content: chosen };
};

const isLiteral = (value: SqonScalar): boolean =>
  typeof value === 'string' && (value.includes('*') || value.startsWith(SET_PREFIX));

const conditionOn = (path: string, op: Condition['op'], value: FilterValue): Condition => ({
  op,
  content: { fieldName: path, value },
});

const isRange = ({ op }: Condition): boolean => ['gt', 'gte', 'lt', 'lte', 'between'].includes(op);

const isRangeOn =
  (path: string) =>
  (filter: Filter): boolean =>
    isConditionOn(filter, path) && isRange(conditionIn(filter)!);

/** Narrows a number or date; null leaves an end open. It takes the place of "no value". */
export const withRange = (
  view: View,
  path: string,
  from: string | number | null,
  to: string | number | null,
): View => replaceRange(view, path, rangeCondition(path, from, to));

/** Selects the records without a number or date, instead of a range. */
export const withMissing = (view: View, path: string, isChosen: boolean): View =>
  replaceRange(view, path, isChosen ? choiceOf(path, [MISSING]) : null);

/** Replaces the range or the values of a field, whichever exist; null removes them. */
const replaceRange = (view: View, path: string, part: Filter | null): View => {
  const filters = view.filters ?? [];
  const isOld = (filter: Filter): boolean => isRangeOn(path)(filter) || choiceIn(filter, path) !== null;
  const first = filters.findIndex(isOld);
  const others = filters.filter((filter, at) => at === first || !isOld(filter));
  return replaceOn({ ...view, filters: others }, isOld, part);
};

/** A range; ends in the wrong order are swapped. null: open at both ends. */
const rangeCondition = (
  path: string,
  from: string | number | null,
  to: string | number | null,
): Condition | null => {
  if (from !== null && to !== null)
    return conditionOn(path, 'between', isAfter(from, to) ? [to, from] : [from, to]);
  if (from !== null) return conditionOn(path, 'gte', from);
  return to === null ? null : conditionOn(path, 'lte', to);
};

const isAfter = (one: string | number, other: string | number): boolean =>
  typeof one === 'string' && typeof other === 'string' ? timeOf(one) > timeOf(other) : one > other;

/**
 * The ends of a facet's range, which several conditions may bound; null: open. Conditions joined by "or" are not a range:
 * the first is used.
 */
export const rangeOf = (
  view: View,
  path: string,
): readonly [string | number | null, string | number | null] => {
  const all = conditionsOn(view, path).filter(isRangeOn(path));
  const ranges = (view.join === 'or' ? all.slice(0, 1) : all).map((one) => rangeEnds(conditionIn(one)!));
  const [lows, highs] = [0, 1].map((at) => inOrder(ranges.flatMap((range) => range[at] ?? [])));
  return [lows!.at(-1) ?? null, highs![0] ?? null];
};

const inOrder = (ends: readonly (string | number)[]): readonly (string | number)[] =>
  ends.toSorted((one, other) => Number(isAfter(one, other)) - Number(isAfter(other, one)));

/** The ends of one condition, however many values it has: a single value is both, of several the outermost count. */
export const rangeEnds = ({
  op,
  content,
}: Condition): readonly [string | number | null, string | number | null] => {
  const ends = inOrder([content.value].flat() as (string | number)[]);
  const [low, high] = [ends[0] ?? null, ends.at(-1) ?? null];
  if (op === 'between') return [low, high];
  return op === 'gte' || op === 'gt' ? [low, null] : [null, high];
};

/** A search in words; an empty text removes it. */
export const withSearch = (view: View, fieldNames: readonly string[], text: string): View => {
  const others = (view.filters ?? []).filter((filter) => !isOfWords(filter));
  return withFilters(
    view,
    text === '' ? others : [{ op: 'search', content: { fieldNames, value: text } }, ...others],
  );
};

/** The text in the search box. */
export const searchOf = ({ filters = [] }: View): string => filters.find(isOfWords)?.content.value ?? '';

/** Draws the chart of a field the other way: by name instead of by count, or by powers of ten. */
export const withAltered = ({ altered = [], ...view }: View, path: string): View => {
  const next = altered.includes(path) ? altered.filter((each) => each !== path) : [...altered, path];
  return next.length === 0 ? view : { ...view, altered: next };
};

/** Shows the level of a hierarchy under a term in the chart of a field; null: the first level. */
export const withLevel = ({ levels = {}, ...view }: View, path: string, under: string | null): View => {
  const { [path]: _old, ...others } = levels;
  const next = under === null ? others : { ...others, [path]: under };
  return Object.keys(next).length === 0 ? view : { ...view, levels: next };
};

/** Counts something else in the facet and the chart of a field; null: what the server counts. */
export const withUnit = ({ units = {}, ...view }: View, path: string, unit: string | null): View => {
  const { [path]: _old, ...others } = units;
  const next = unit === null ? others : { ...others, [path]: unit };
  return Object.keys(next).length === 0 ? view : { ...view, units: next };
};

/** The view with other filters; `join` is kept only where there are several. */
export const withFilters = (view: View, filters: readonly Filter[]): View => {
  const { filters: _old, join, ...rest } = view;
  if (filters.length === 0) return rest;
  return filters.length > 1 && join === 'or' ? { ...rest, filters, join } : { ...rest, filters };
};

/** The view with other institutions; an empty list means all. */
export const withNodes = ({ nodes: _nodes, ...view }: View, nodes: readonly string[]): View =>
  nodes.length === 0 ? view : { ...view, nodes };

/** The opposite of a part: "is not" for "is", otherwise brackets with a not. */
export const negation = (filter: Filter): Filter => {
  if (!isGroup(filter) && !isSearch(filter)) {
    if (filter.op === 'in') return { ...filter, op: 'not-in' };
    if (filter.op === 'not-in') return { ...filter, op: 'in' };
  }
  if (isGroup(filter) && filter.op === 'not' && filter.content.length === 1) return filter.content[0]!;
  return { op: 'not', content: [filter] };
};

/** Replaces a part; the new part applies to any object if the old part did. */
const inPlaceOf = (filter: Filter, part: Filter): Filter =>
  isGroup(filter) && bareOf(filter) !== filter
    ? { ...filter, content: [inPlaceOf(filter.content[0]!, part)] }
    : part;

/** Replaces the facet's old part, or appends the new part; null removes it. */
export const replaceOn = (view: View, isOld: (filter: Filter) => boolean, part: Filter | null): View => {
  const filters = view.filters ?? [];
  const at = filters.findIndex(isOld);
  if (at === -1) return withFilters(view, part === null ? filters : [...filters, part]);
  return withFilters(
    view,
    filters.flatMap((filter, index) =>
      index !== at ? [filter] : part === null ? [] : [inPlaceOf(filter, part)],
    ),
  );
};

/** Replaces a part of the filter; null removes it. */
export const withPart = (view: View, at: number, part: Filter | null): View =>
  withParts(view, (filters) =>
    filters.flatMap((filter, index) => (index !== at ? [filter] : part === null ? [] : [part])),
  );

const withParts = (view: View, edit: (filters: readonly Filter[]) => readonly Filter[]): View => {
  const { join = 'and', filters = [] } = view;
  const next = edit(filters);
  const [only] = next;
  // a single group needs no brackets: its parts become those of the filter
  return next.length === 1 && only !== undefined && isGroup(only) && only.op !== 'not' && !only.pivot
    ? withFilters({ ...view, join: only.op }, only.content)
    : withFilters({ ...view, join }, next);
};

/** Turns "is" into "is not" and back. */
export const negatedAt = (view: View, at: number): View => {
  const part = view.filters![at]!;
  return withPart(view, at, inPlaceOf(part, negation(bareOf(part))));
};

/** Lets any object meet each of the conditions that one object had to meet. */
export const withApart = (view: View, { pivot, parts }: Linked): View =>
  withParts(view, (filters) =>
    filters.map((filter, at) => (parts.includes(at) ? { op: 'and', content: [filter], pivot } : filter)),
  );

/** Moves a condition that any object may meet back to the others that one object must meet. */
export const togetherAt = (view: View, at: number): View => {
  const pivotOf = (filter: Filter) => (isGroup(filter) ? filter.pivot : undefined);
  const pivot = pivotOf(view.filters![at]!);
  return withParts(view, (filters) =>
    filters.map((filter) => (pivotOf(filter) === pivot ? bareOf(filter) : filter)),
  );
};

/** Swaps "and" and "or" between the parts of the filter. */
export const withOtherJoin = ({ join = 'and', ...view }: View): View =>
  join === 'and' ? { ...view, join: 'or' } : view;
