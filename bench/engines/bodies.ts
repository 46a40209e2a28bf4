import type { JsonObject, JsonValue } from '../../src/lib/json/json.ts';
import { at, listAt, pageFields, pageRows } from './answers.ts';
import type { Sent, Way } from './connections.ts';
import { index } from './loaded.ts';
import { clauseOf, queryOf, type Selection } from './selections.ts';

type Body = Way<Selection>;

const search = (body: JsonObject, filterPath = ''): Sent => ({
  path: `/${index}/_search${filterPath === '' ? '' : `?filter_path=${filterPath}`}`,
  body: JSON.stringify(body),
});

const multiSearch = (bodies: readonly JsonObject[], filterPath: string): Sent => ({
  path: `/${index}/_msearch?filter_path=${filterPath}`,
  body: bodies.map((body) => `{}\n${JSON.stringify(body)}\n`).join(''),
  lines: true,
});

/** A sorted page with its total: with different tie-breaks, and with the answer cut down to what is read. */
export const bodiesOfPage: readonly Body[] = (() => {
  const read = (answer: JsonValue): JsonValue =>
    pageRows(
      at(answer, 'hits', 'total', 'value'),
      listAt(answer, 'hits', 'hits').map((hit) => at(hit, '_source')),
    );
  const body = (selection: Selection, sort: readonly string[]): JsonObject => ({
    size: 20,
    track_total_hits: true,
    query: queryOf(selection),
    sort: sort.map((path) => ({ [path]: path === 'collected' ? 'desc' : 'asc' })),
    _source: { includes: [...pageFields] },
  });
  const cut = 'hits.total.value,hits.hits._source';
  return [
    { name: 'by _id', sent: (selection) => search(body(selection, ['collected', '_id'])), read },
    { name: 'by id', sent: (selection) => search(body(selection, ['collected', 'id'])), read },
    { name: 'no tie-break', sent: (selection) => search(body(selection, ['collected'])), read },
    { name: 'no tie-break, cut', sent: (selection) => search(body(selection, ['collected']), cut), read },
  ];
})();

type Hint = 'map' | 'global_ordinals';

const terms = (path: string, size: number, hint?: Hint): JsonObject => ({
  terms: { field: path, size, ...(hint && { execution_hint: hint }) },
});

const aggregationsOf = (paths: readonly string[], size: number, hint?: Hint): JsonObject =>
  Object.fromEntries(paths.map((path) => [path, terms(path, size, hint)]));

const counted = (query: JsonObject, aggs: JsonObject): JsonObject => ({
  ...{ size: 0, track_total_hits: false },
  ...{ query, aggs },
});

const bucketsOf = (aggregation: JsonValue): JsonValue =>
  listAt(aggregation, 'buckets').map((bucket) => [at(bucket, 'key'), at(bucket, 'doc_count')]);

/** Facets that all look at the same documents. */
export const bodiesOfFacets = (paths: readonly string[], size: number): readonly Body[] => {
  const read = (answer: JsonValue): JsonValue =>
    paths.map((path) => bucketsOf(at(answer, 'aggregations', path)));
  const body = (selection: Selection, hint?: Hint): JsonObject =>
    counted(queryOf(selection), aggregationsOf(paths, size, hint));
  const cut = 'aggregations.*.buckets';
  return [
    { name: 'one search', sent: (selection) => search(body(selection)), read },
    { name: 'one search, cut', sent: (selection) => search(body(selection), cut), read },
    { name: 'execution_hint: map', sent: (selection) => search(body(selection, 'map')), read },
    {
      // quicker by up to a fifth while the server has nothing else to do, for a fifth more of its processors
      name: 'half and half, side by side',
      costsMore: true,
      sent: (selection) =>
        multiSearch(
          halves(paths).map((half) => counted(queryOf(selection), aggregationsOf(half, size))),
          'responses.aggregations.*.buckets',
        ),
      read: (answer) => {
        const found = Object.assign(
          {},
          ...listAt(answer, 'responses').map((response) => at(response, 'aggregations')),
        ) as JsonObject;
        return paths.map((path) => bucketsOf(found[path]!));
      },
    },
  ];
};

const halves = (paths: readonly string[]): readonly (readonly string[])[] => [
  paths.slice(0, Math.ceil(paths.length / 2)),
  paths.slice(Math.ceil(paths.length / 2)),
];

/** A facet looks at what the other clauses keep; those without a clause of their own share everything. */
const groupsOf = (
  paths: readonly string[],
  selection: Selection,
): readonly { readonly paths: readonly string[]; readonly clauses: Selection }[] => {
  const own = paths.filter((path) => selection.some((clause) => clause.path === path));
  const others = paths.filter((path) => !own.includes(path));
  return [
    ...(others.length > 0 ? [{ paths: others, clauses: selection }] : []),
    ...own.map((path) => ({ paths: [path], clauses: selection.filter((clause) => clause.path !== path) })),
  ];
};

/** Facets that leave out their own clause. */
export const bodiesOfOwnFacets = (paths: readonly string[], size: number): readonly Body[] => [
  {
    name: 'a search for each filter, side by side',
    sent: (selection) =>
      multiSearch(
        groupsOf(paths, selection).map((group) =>
          counted(queryOf(group.clauses), aggregationsOf(group.paths, size)),
        ),
        'responses.aggregations.*.buckets',
      ),
    read: (answer) => {
      const found = Object.assign(
        {},
        ...listAt(answer, 'responses').map((response) => at(response, 'aggregations')),
      ) as JsonObject;
      return paths.map((path) => bucketsOf(found[path]!));
    },
  },
  {
    name: 'one search, a filter around each group',
    sent: (selection) => search(filteredGroups(groupsOf(paths, selection), paths, selection, size)),
    read: readGroups(paths),
  },
  {
    name: 'one search, a filter around each facet',
    sent: (selection) => {
      const each = paths.map((path) => ({
        paths: [path],
        clauses: selection.filter((clause) => clause.path !== path),
      }));
      return search(filteredGroups(each, paths, selection, size));
    },
    read: readGroups(paths),
  },
];

/** The clauses that every facet has are the query, the rest stands around the groups. */
const filteredGroups = (
  groups: readonly { readonly paths: readonly string[]; readonly clauses: Selection }[],
  paths: readonly string[],
  selection: Selection,
  size: number,
): JsonObject => {
  const shared = selection.filter(({ path }) => !paths.includes(path));
  const around = (clauses: Selection): JsonObject => ({
    bool: { filter: clauses.filter((clause) => !shared.includes(clause)).map(clauseOf) },
  });
  return counted(
    queryOf(shared),
    Object.fromEntries(
      groups.map((group, at) => [
        `g${at}`,
        { filter: around(group.clauses), aggs: aggregationsOf(group.paths, size) },
      ]),
    ),
  );
};

const readGroups =
  (paths: readonly string[]) =>
  (answer: JsonValue): JsonValue => {
    const groups = Object.values(at(answer, 'aggregations') as JsonObject);
    const found = Object.assign({}, ...groups) as JsonObject;
    return paths.map((path) => bucketsOf(found[path]!));
  };
