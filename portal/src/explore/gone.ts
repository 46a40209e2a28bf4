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
 * A view as far as another source has its fields; institutions and records belong to one source only.
 * @returns the view, and the names it drops, as the former source calls them
 */
export const keptIn = (
  { source: _source, nodes: _nodes, record: _record, ...view }: View,
  former: Pick<Catalogue, 'fields'> | undefined,
  next: Named,
): View => {
  const isKnown = (path: string): boolean => next.fields.has(path);
  const { filters = [], cohorts, charts, columns, sort, opened } = view;
  const kept = filters.flatMap((filter) => keptFilter(filter, isKnown) ?? []);
  const known = <Item>(items: readonly Item[] | undefined, pathOf: (item: Item) => readonly string[]) => {
    const left = items?.filter((item) => pathOf(item).every(isKnown)) ?? [];
    return left.length === 0 ? undefined : left;
  };
  const parts = {
    charts: known(charts, (name) => name.split(against)),
    columns: known(columns, (path) => (next.columns?.some((column) => column.path === path) ? [] : [path])),
    sort: known(sort, ({ fieldName }) => [fieldName]),
    opened: known(opened, (path) => [path]),
    // a cohort without one of its conditions would be a different cohort
    cohorts: known(cohorts, ({ filter }) => (filter === null ? [] : pathsOf(filter))),
  };
  const lost = [
    ...goneFrom({ filters }, next).fields.map((path) => former?.fields.get(path)?.name ?? path),
    ...(cohorts ?? []).filter((one) => parts.cohorts?.includes(one) !== true).map(({ name }) => name),
  ];
  return {
    ...withFilters(view.tab === undefined ? {} : { tab: view.tab }, kept),
    ...(view.join !== undefined && kept.length > 1 && { join: view.join }),
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)),
    ...(lost.length > 0 && { dropped: lost }),
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
