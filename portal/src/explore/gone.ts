import type { Catalogue } from '../api/catalogue.ts';
import { isGroup, isSearch, type Filter } from '../api/filter.ts';
import { against } from '../charts/chart-paths.ts';
import type { View } from '../state/view.ts';

/** What a view names that is no longer there. */
export interface Gone {
  readonly fields: readonly string[];
  readonly nodes: readonly string[];
}

/** A link of last month may name fields and institutions that are gone. */
export const goneFrom = (view: View, { fields, nodes }: Pick<Catalogue, 'fields' | 'nodes'>): Gone => {
  const named = [
    ...(view.filters ?? []).flatMap(pathsOf),
    ...(view.cohorts ?? []).flatMap(({ filter }) => (filter === null ? [] : pathsOf(filter))),
    ...(view.charts ?? []).flatMap((name) => name.split(against)),
    ...(view.columns ?? []),
    ...(view.sort ?? []).map(({ fieldName }) => fieldName),
    ...(view.opened ?? []),
  ];
  const known = new Set(nodes.map(({ nodeId }) => nodeId));
  return {
    fields: [...new Set(named)].filter((path) => !fields.has(path)),
    nodes: (view.nodes ?? []).filter((nodeId) => !known.has(nodeId)),
  };
};

const pathsOf = (filter: Filter): readonly string[] => {
  if (isGroup(filter)) return filter.content.flatMap(pathsOf);
  return isSearch(filter) ? filter.content.fieldNames : [filter.content.fieldName];
};
