import { bareOf, isGroup, type Filter, type Group, type Linked } from '../api/filter.ts';
import { negation, withFilters } from './edit.ts';
import type { View } from './view.ts';

/** The place of a part of the filter: its index among the outermost parts, then within its group, and so on. */
export type PlaceInFilter = readonly number[];

/** Replaces a part; null removes it, along with brackets that then hold only one part. */
export const withPart = (view: View, place: PlaceInFilter, part: Filter | null): View =>
  edited(view, place, (siblings, at) =>
    siblings.flatMap((filter, index) => (index !== at ? [filter] : part === null ? [] : [part])),
  );

/** Turns "is" into "is not" and back. */
export const negatedAt = (view: View, place: PlaceInFilter): View =>
  edited(view, place, (siblings, at) =>
    siblings.map((filter, index) => (index === at ? negation(filter) : filter)),
  );

/** Lets any object meet each of the conditions that one object had to meet. @param place the place of their group */
export const apartAt = (view: View, place: PlaceInFilter, { pivot, parts }: Linked): View =>
  edited(view, [...place, 0], (siblings) =>
    siblings.map((filter, at) => (parts.includes(at) ? { op: 'and', content: [filter], pivot } : filter)),
  );

const parentOf = (view: View, place: PlaceInFilter): Filter | undefined =>
  siblingsAt(view, place.slice(0, -1))[place.at(-2) ?? -1];

/** Whether any object may meet the condition at a place, although others describe objects of that list too. */
export const isOfAnyAt = (view: View, place: PlaceInFilter): boolean => {
  const parent = parentOf(view, place);
  return parent !== undefined && bareOf(parent) !== parent;
};

/** Moves a condition that any object may meet back to the others that one object must meet. @param place its place */
export const togetherAt = (view: View, place: PlaceInFilter): View => {
  const group = parentOf(view, place);
  const pivotOf = (filter: Filter | undefined) => (filter && isGroup(filter) ? filter.pivot : undefined);
  return edited(view, place.slice(0, -1), (siblings) =>
    siblings.map((filter) => (pivotOf(filter) === pivotOf(group) ? bareOf(filter) : filter)),
  );
};

/** Swaps "and" and "or" between the parts of the group at this place; [] is the outermost one. */
export const withOtherJoinAt = (view: View, place: PlaceInFilter): View => {
  if (place.length === 0) {
    const { join = 'and', ...rest } = view;
    return join === 'and' ? { ...rest, join: 'or' } : rest;
  }
  return edited(view, place, (siblings, at) =>
    siblings.map((filter, index) =>
      index === at && isGroup(filter) && filter.op !== 'not'
        ? { ...filter, op: filter.op === 'and' ? 'or' : 'and' }
        : filter,
    ),
  );
};

/** The number of parts in the group of the one at this place, including itself. */
const siblingsAt = (view: View, place: PlaceInFilter): readonly Filter[] =>
  place.slice(0, -1).reduce<readonly Filter[]>((filters, at) => {
    const group = filters[at];
    return group !== undefined && isGroup(group) ? group.content : [];
  }, view.filters ?? []);

type Edit = (siblings: readonly Filter[], at: number) => readonly Filter[];

const edited = (view: View, place: PlaceInFilter, edit: Edit): View => {
  const { join = 'and', filters = [] } = view;
  const next = within(filters, place, edit);
  const [only] = next;
  // a single group needs no brackets: its parts become the outermost ones
  if (next.length === 1 && only !== undefined && isGroup(only) && only.op !== 'not' && !only.pivot)
    return withFilters({ ...view, join: only.op }, only.content);
  return withFilters({ ...view, join }, next);
};

const within = (
  siblings: readonly Filter[],
  [at = 0, ...rest]: PlaceInFilter,
  edit: Edit,
): readonly Filter[] =>
  rest.length === 0
    ? edit(siblings, at)
    : siblings.flatMap((filter, index) =>
        index === at && isGroup(filter)
          ? tidied({ ...filter, content: within(filter.content, rest, edit) })
          : [filter],
      );

/** Removes empty brackets, and brackets around a single part unless they name the list that is meant. */
const tidied = (group: Group): readonly Filter[] => {
  if (group.content.length === 0) return [];
  return group.content.length === 1 && group.op !== 'not' && group.pivot === undefined
    ? group.content
    : [group];
};
