import type { FacetQuery, HitsQuery, SearchQuery, SearchResult } from '../../src/engines/engine.ts';
import type { FacetResult } from '../../src/engines/measure.ts';
import { all, and, nested, or, type Filter } from '../../src/sqon/filter.ts';
import type { IndexField } from '../../src/introspection/fields/field.ts';
import { facetPaths } from './documents.ts';
import type { Row } from './duckdb-side.ts';

/** One question, put to both engines. */
export interface BenchQuery {
  readonly name: string;
  /** DuckDB's median must be at least so many times this engine's. */
  readonly target: number | null;
  readonly search: SearchQuery;
  /** Ways to query DuckDB, each a list of statements; the quickest one is measured. */
  readonly sql: readonly (readonly string[])[];
  /** Both answers in one form, which must be equal. */
  readonly fromSearch: (result: SearchResult) => unknown;
  readonly fromSql: (rows: readonly (readonly Row[])[]) => unknown;
}

const field = (path: string, type = 'keyword', ...nestedIn: string[]): IndexField => ({
  path,
  type,
  nestedIn,
});
const terms = (path: string, values: readonly string[], ...nestedIn: string[]): Filter => ({
  kind: 'terms',
  field: field(path, 'keyword', ...nestedIn),
  values,
});
const containing = (path: string, literal: string): Filter => ({
  kind: 'pattern',
  field: field(path),
  pattern: [{ wildcard: 'any' }, { literal }, { wildcard: 'any' }],
  caseInsensitive: true,
});
const weightFilter: Filter = { kind: 'range', field: field('weight', 'long'), gte: 100, lte: 800 };

const newest = { field: field('collected', 'date'), order: 'desc', missing: 'last', mode: 'max' } as const;
const page = (filter: Filter, more: Partial<HitsQuery> = {}): SearchQuery => ({
  hits: {
    filter,
    size: 20,
    offset: 0,
    sort: [newest],
    searchAfter: null,
    source: null,
    trackTotal: true,
    ...more,
  },
  facets: [],
});
const pageSql = (where: string): readonly string[] => [
  `SELECT count(*)::INTEGER FROM specimens WHERE ${where}`,
  `SELECT id, src FROM specimens WHERE ${where} ORDER BY collected DESC, n LIMIT 20`,
];
const pageAnswer = ({ hits }: SearchResult): unknown => [
  hits!.total,
  hits!.hits.map(({ id, source }) => [id, source]),
];
const pageRows = ([total, hits]: readonly (readonly Row[])[]): unknown => [
  total![0]![0],
  hits!.map(([id, source]) => [id, JSON.parse(String(source)) as unknown]),
];

const facetSize = 100;
const termsFacet = (path: string, filter: Filter, ...nestedIn: string[]): FacetQuery => ({
  field: field(path, 'keyword', ...nestedIn),
  filter,
  objects: {},
  measure: { kind: 'terms', size: facetSize },
});
const buckets = (facet: FacetResult): unknown =>
  'buckets' in facet && facet.buckets.map(({ key, count }) => [key, count]);
const facetsAnswer = ({ facets }: SearchResult): unknown => facets.map(buckets);

const top = `GROUP BY ALL HAVING k IS NOT NULL ORDER BY c DESC, k LIMIT ${facetSize}`;
/** One facet of documents taken from `from`, a table with the columns of the documents. */
const facetSql = (path: string, from: string): string =>
  path === 'tags'
    ? `SELECT tag AS k, count(*)::INTEGER AS c FROM tags JOIN ${from} USING (n) ${top}`
    : `SELECT ${column(path)} AS k, count(*)::INTEGER AS c FROM ${from} ${top}`;
const column = (path: string): string => path.replaceAll('.', '_');

/** All facets over one selection: a statement each, or the selection once and one statement. */
const facetsSql = (where: string): readonly (readonly string[])[] => [
  facetPaths.map((path) => facetSql(path, `(SELECT * FROM specimens WHERE ${where})`)),
  [
    `CREATE OR REPLACE TEMP TABLE chosen AS SELECT n, ${columnsOf(facetPaths)} FROM specimens WHERE ${where}`,
    ...facetPaths.map((path) => facetSql(path, 'chosen')),
  ],
];
const columnsOf = (paths: readonly string[]): string =>
  paths
    .filter((path) => path !== 'tags')
    .map(column)
    .join(', ');
const facetRows = (answers: readonly (readonly Row[])[]): unknown => answers.slice(-facetPaths.length);

const chosen = and([terms('phase', ['ph1', 'ph2']), weightFilter]);
const chosenSql = `phase IN ('ph1', 'ph2') AND weight BETWEEN 100 AND 800`;

/** What a portal's user has ticked, by field; the facet of a field leaves its own out. */
const tags = Array.from({ length: 10 }, (_, i) => `tag${i}`);
const clauses: readonly (readonly [path: string, filter: Filter, sql: string])[] = [
  ['sex', terms('sex', ['s0']), `sex = 's0'`],
  ['tissue', terms('tissue', ['tis 0', 'tis 1', 'tis 2']), `tissue IN ('tis 0', 'tis 1', 'tis 2')`],
  [
    'tags',
    terms('tags', tags),
    `n IN (SELECT n FROM tags WHERE tag IN (${tags.map((tag) => `'${tag}'`).join()}))`,
  ],
  ['weight', weightFilter, 'weight BETWEEN 100 AND 800'],
];
const othersOf = (path: string): typeof clauses => clauses.filter(([own]) => own !== path);
const everyClause = and(clauses.map(([, filter]) => filter));
const withoutOwn = (path: string): Filter =>
  clauses.some(([own]) => own === path) ? and(othersOf(path).map(([, filter]) => filter)) : everyClause;
const withoutOwnSql = (path: string): string =>
  othersOf(path)
    .map(([, , sql]) => sql)
    .join(' AND ');

const pivot = nested(
  'samples',
  and([
    terms('samples.kind', ['K3'], 'samples'),
    { kind: 'range', field: field('samples.depth', 'integer', 'samples'), gt: 30 },
  ]),
);
const pivotSql = `n IN (SELECT n FROM samples WHERE kind = 'K3' AND depth > 30)`;

const someText = or([containing('title', 'FINm'), containing('collector', 'FINm')]);
const someTextSql = `title ILIKE '%finm%' OR collector ILIKE '%finm%'`;

const month = 30 * 86_400_000;
const numbersOf = (path: string, type: string, measure: FacetQuery['measure']): FacetQuery => ({
  field: field(path, type),
  filter: chosen,
  objects: {},
  measure,
});
/** Empty buckets are left out: SQL has none. */
const histogramAnswer = (facet: FacetResult): unknown =>
  facet.kind === 'histogram' &&
  facet.buckets.filter(({ count }) => count > 0).map(({ key, count }) => [Number(key), count]);
const statsAnswer = (facet: FacetResult): unknown =>
  facet.kind === 'stats' && [facet.count, facet.min, facet.max, facet.sum];
const histogramSql = (path: string, interval: number): string =>
  `SELECT floor(${path} / ${interval}) * ${interval} AS k, count(*)::INTEGER FROM specimens
   WHERE ${chosenSql} AND ${path} IS NOT NULL GROUP BY k ORDER BY k`;

const middle = Date.UTC(2018, 0, 1);

export const queries: readonly BenchQuery[] = [
  {
    name: 'sorted page of all',
    target: null,
    search: page(all),
    sql: [pageSql('true')],
    fromSearch: pageAnswer,
    fromSql: pageRows,
  },
  {
    name: 'sorted page, far into it',
    target: null,
    search: page(all, { searchAfter: [middle], trackTotal: false }),
    sql: [[`SELECT id, src FROM specimens WHERE collected < ${middle} ORDER BY collected DESC, n LIMIT 20`]],
    fromSearch: ({ hits }) => hits!.hits.map(({ id }) => id),
    fromSql: ([rows]) => rows!.map(([id]) => id),
  },
  {
    name: 'filter, total, sorted page',
    target: 1,
    search: page(chosen),
    sql: [pageSql(chosenSql)],
    fromSearch: pageAnswer,
    fromSql: pageRows,
  },
  {
    name: '10 facets under a filter',
    target: 5,
    search: { facets: facetPaths.map((path) => termsFacet(path, chosen)) },
    sql: facetsSql(chosenSql),
    fromSearch: facetsAnswer,
    fromSql: facetRows,
  },
  {
    name: '10 facets, each without its own filter',
    target: 20,
    search: { facets: facetPaths.map((path) => termsFacet(path, withoutOwn(path))) },
    sql: [facetPaths.map((path) => facetSql(path, `(SELECT * FROM specimens WHERE ${withoutOwnSql(path)})`))],
    fromSearch: facetsAnswer,
    fromSql: facetRows,
  },
  {
    name: 'nested pivot, total, page',
    target: 5,
    search: page(pivot),
    sql: [pageSql(pivotSql)],
    fromSearch: pageAnswer,
    fromSql: pageRows,
  },
  {
    name: 'nested facet counting documents',
    target: null,
    search: { facets: [termsFacet('samples.kind', pivot, 'samples')] },
    sql: [
      [
        `SELECT kind AS k, count(DISTINCT n)::INTEGER AS c FROM samples
         WHERE n IN (SELECT n FROM samples WHERE kind = 'K3' AND depth > 30) ${top}`,
      ],
    ],
    fromSearch: facetsAnswer,
    fromSql: (rows) => rows,
  },
  {
    name: 'substring over two fields, total, page',
    target: 10,
    search: page(someText),
    sql: [pageSql(someTextSql)],
    fromSearch: pageAnswer,
    fromSql: pageRows,
  },
  {
    name: 'two histograms and two stats',
    target: null,
    search: {
      facets: [
        numbersOf('reads', 'long', { kind: 'histogram', interval: 20_000 }),
        numbersOf('collected', 'date', { kind: 'histogram', interval: month }),
        numbersOf('weight', 'long', { kind: 'stats' }),
        numbersOf('reads', 'long', { kind: 'stats' }),
      ],
    },
    sql: [
      [
        histogramSql('reads', 20_000),
        histogramSql('collected', month),
        ...['weight', 'reads'].map(
          (path) =>
            `SELECT count(${path})::INTEGER, min(${path}), max(${path}), sum(${path})::DOUBLE
             FROM specimens WHERE ${chosenSql}`,
        ),
      ],
    ],
    fromSearch: ({ facets }) => facets.map((facet) => histogramAnswer(facet) || [statsAnswer(facet)]),
    fromSql: (rows) => rows,
  },
];

/** The queries of requests.ts for the engine's port: weights from `least` on. */
const underWeights = (least: number): Filter =>
  and([
    terms('phase', ['ph1', 'ph2']),
    { kind: 'range', field: field('weight', 'long'), gte: least, lte: least + 500 },
  ]);

export const pageSearch = (least: number): SearchQuery =>
  page(underWeights(least), {
    source: ['id', 'species', 'title', 'collected', 'weight', 'tags', 'donor.country', 'donor.age'],
  });

export const facetsSearch = (least: number): SearchQuery => {
  const filter = underWeights(least);
  return { facets: facetPaths.map((path) => termsFacet(path, filter)) };
};
