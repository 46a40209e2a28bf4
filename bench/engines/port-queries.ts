import type { HitsQuery, SearchQuery, SearchResult } from '../../src/engines/engine.ts';
import type { FacetResult } from '../../src/engines/measure.ts';
import type { IndexField } from '../../src/introspection/fields/field.ts';
import type { JsonValue } from '../../src/lib/json/json.ts';
import { and, type Filter } from '../../src/sqon/filter.ts';
import { pageFields, pageRows } from './answers.ts';
import type { Clause, Selection } from './selections.ts';

/** A query for the engine's port, and its answer in the form that all ways share. */
export interface PortQuestion {
  readonly query: (selection: Selection) => SearchQuery;
  readonly read: (result: SearchResult) => JsonValue;
}

const field = (path: string, type = 'keyword'): IndexField => ({ path, type, nestedIn: [] });

const clauseFilter = ({ path, values, range }: Clause): Filter =>
  range === undefined
    ? { kind: 'terms', field: field(path), values: [...values!] }
    : { kind: 'range', field: field(path, 'long'), gte: range[0], lte: range[1] };

const newestFirst: HitsQuery['sort'] = [
  { field: field('collected', 'date'), order: 'desc', missing: 'last', mode: 'max' },
];

export const pageOfPort: PortQuestion = {
  query: (selection) => ({
    hits: {
      ...{ filter: and(selection.map(clauseFilter)), size: 20, offset: 0, sort: newestFirst },
      ...{ searchAfter: null, source: [...pageFields], trackTotal: true },
    },
    facets: [],
  }),
  read: ({ hits }) =>
    pageRows(
      hits!.total,
      hits!.hits.map(({ source }) => source),
    ),
};

/**
 * Equal filters are one object, as the engine runs each object once.
 * @param keepOwn whether a facet's own clause counts for it too
 */
export const facetsOfPort = (paths: readonly string[], size: number, keepOwn: boolean): PortQuestion => ({
  query: (selection) => {
    const clauses = selection.map((clause) => [clause.path, clauseFilter(clause)] as const);
    const every = and(clauses.map(([, filter]) => filter));
    const filterFor = (path: string): Filter =>
      keepOwn || !clauses.some(([own]) => own === path)
        ? every
        : and(clauses.filter(([own]) => own !== path).map(([, filter]) => filter));
    return {
      facets: paths.map((path) => ({
        field: field(path),
        filter: filterFor(path),
        objects: {},
        measure: { kind: 'terms', size, distinct: false, missing: false },
      })),
    };
  },
  read: ({ facets }) => facets.map(bucketsOf),
});

const bucketsOf = (facet: FacetResult): JsonValue =>
  facet.kind === 'terms' ? facet.buckets.map(({ key, count }) => [key, count]) : null;
