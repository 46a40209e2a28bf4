import type { Catalogue } from '../api/catalogue.ts';
import { isGroup, isSearch, type Filter } from '../api/filter.ts';
import { against } from '../charts/chart-paths.ts';
import { withFilters } from '../state/edit.ts';
import type { View } from '../state/view.ts';

/** Names in a view that no longer exist. */
export interface Gone {
  readonly fields: readonly string[];
  readonly nodes: readonly string[];
}

type Named = Pick<Catalogue, 'fields' | 'nodes'> & Partial<Pick<Catalogue, 'columns'>>;

/** An old link may name fields and institutions that no longer exist. */
export const goneFrom = (view: View, { fields, nodes, columns = [] }: Named): Gone => {
  const named = [
    ...(view.filters ?? []).flatMap(pathsOf),
    ...(view.cohorts ?? []).flatMap(({ filter }) => (filter === null ? [] : pathsOf(filter))),
    ...(view.charts ?? []).flatMap((name) => name.split(against)),
    ...(view.columns ?? []).filter((path) => columns.every((column) => column.path !== path)),
    ...(view.sort ?? []).map(({ fieldName }) => fieldName),
    ...(view.opened ?? []),
  ];
  const known = new Set(nodes.map(({ nodeId }) => nodeId));
  return {
    fields: [...new Set(named)].filter((path) => !fields.has(path)),
    nodes: (view.nodes ?? []).filter((nodeId) => !known.has(nodeId)),
  };
};

/**
 * A view as far as another source has the fields of its filter; what else it has belongs to one source only.
 * @returns the view, and the names it drops, as the former source calls them
 */
export const keptIn = (
  { tab, join, filters = [] }: View,
  former: Pick<Catalogue, 'fields'> | undefined,
  next: Named,
): View => {
  const kept = filters.flatMap((filter) => keptFilter(filter, (path) => next.fields.has(path)) ?? []);
  const { fields: lost } = goneFrom({ filters }, next);
  return {
    ...withFilters({ ...(tab !== undefined && { tab }), ...(join !== undefined && { join }) }, kept),
    ...(lost.length > 0 && { dropped: lost.map((path) => former?.fields.get(path)?.name ?? path) }),
  };
};

/** A filter without its conditions on unknown fields; null: nothing is left of it. */
const keptFilter = (filter: Filter, isKnown: (path: string) => boolean): Filter | null => {
  if (isGroup(filter)) {
    const content = filter.content.flatMap((one) => keptFilter(one, isKnown) ?? []);
    const hasPivot = filter.pivot === undefined || isKnown(filter.pivot);
    return content.length === 0 || !hasPivot ? null : { ...filter, content };
  }
  if (!isSearch(filter)) return isKnown(filter.content.fieldName) ? filter : null;
  const fieldNames = filter.content.fieldNames.filter(isKnown);
  return fieldNames.length === 0 ? null : { ...filter, content: { ...filter.content, fieldNames } };
};

const pathsOf = (filter: Filter): readonly string[] => {
  if (isGroup(filter))
    return [...(filter.pivot === undefined ? [] : [filter.pivot]), ...filter.content.flatMap(pathsOf)];
  return isSearch(filter) ? filter.content.fieldNames : [filter.content.fieldName];
};
