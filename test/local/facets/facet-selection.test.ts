import test from 'ava';
import type { FacetQuery } from '../../../src/engines/engine.ts';
import type { FacetResult } from '../../../src/engines/measure.ts';
import { bookProperties } from '../catalogue-fixture.ts';
import { runOperation } from '../run-operation.ts';
import type { Operation } from '../run-operation.ts';
import { scriptedEngine } from '../scripted-engine.ts';

/** Every field has the values a (3 documents), b (2) and c (1), and 4 documents without one. */
const facetResult = ({ measure, field }: FacetQuery): FacetResult => {
  switch (measure.kind) {
    case 'terms': {
      const buckets = [
        { key: 'a', count: 3 },
        { key: 'b', count: 2 },
        { key: 'c', count: 1 },
      ];
      const { topHits, filters } = measure;
      const found = buckets.map((bucket) => ({
        ...bucket,
        ...(topHits && { topHit: { of: bucket.key, source: topHits.source as string[] | null } }),
        ...(filters && { filtered: filters.map((_, position) => position) }),
      }));
      return { kind: 'terms', buckets: found.slice(0, measure.size ?? 3), distinct: 3, missing: 4 };
    }
    case 'stats':
      return { kind: 'stats', count: 2, min: 1, max: 3, sum: 4, avg: 2 };
    case 'percentiles':
      return {
        kind: 'percentiles',
        level: 0,
        zero: 1,
        positive: [
          [0, 2],
          [35, 1],
        ],
        negative: [],
      };
    case 'histogram':
      return { kind: 'histogram', buckets: [{ key: String(measure.interval), count: 1 }] };
    case 'date_histogram':
      return {
        kind: 'date_histogram',
        buckets: [{ key: measure.timeZone, keyAsString: measure.interval, count: 1 }],
      };
    case 'range':
      return { kind: 'range', buckets: measure.ranges.map(({ key }) => ({ key, count: 1 })) };
    case 'cardinality':
      return { kind: 'cardinality', value: field.path.length, exact: true };
    case 'groups':
      return { kind: 'groups', buckets: measure.sets.map(({ key }) => ({ key, count: 1 })) };
    case 'survival':
      return { ...noTimes, times: [{ time: 2.5, events: 1, censored: 4 }] };
  }
};

const noTimes = { kind: 'survival', times: [], noTime: 3, negativeTime: 2, noEvent: 1 } as const;

const run = async (
  operation: Omit<Operation, 'source'> & { readonly facets: string },
  resultOf: (facet: FacetQuery) => FacetResult = facetResult,
) => {
  const engine = scriptedEngine({
    describe: () => ({ properties: bookProperties }),
    search: ({ facets }) => ({ facets: facets.map(resultOf) }),
  });
  const outcome = await runOperation(engine, {
    ...operation,
    source: `query($n: Int, $no: Boolean = false, $ranges: [RangesArg], $f: JSON) {
      book { aggregations { ${operation.facets} } }
      unused: node(id: 1) @include(if: $no) { id } again: book { hits(first: $n, filters: $f) { __typename } }
      more: book { aggregations @skip(if: true) { pages { range(ranges: $ranges) { __typename } } } } }`,
  });
  const aggregations = (outcome.data as { book?: { aggregations?: unknown } } | null)?.book?.aggregations;
  const measures = engine.searches.flatMap((query) => query.facets.map(({ measure }) => measure));
  return { ...outcome, aggregations, measures };
};

test('the bucket of missing values is last, on top of max, and counted', async (t) => {
  const { aggregations, measures } = await run({
    facets: 'genres { bucket_count unlisted_upper_bound buckets(max: 2) { key doc_count } }',
  });
  t.deepEqual(aggregations, {
    genres: {
      bucket_count: 4,
      unlisted_upper_bound: 2,
      buckets: [
        { key: 'a', doc_count: 3 },
        { key: 'b', doc_count: 2 },
        { key: '__missing__', doc_count: 4 },
      ],
    },
  });
  t.deepEqual(measures, [{ kind: 'terms', size: 2 }]);
});

test('aliases of one field keep their own arguments and share one request', async (t) => {
  const { aggregations, measures } = await run({
    facets: 'x: genres { buckets(max: 1) { key } n: bucket_count } y: genres { c: bucket_count }',
  });
  t.deepEqual(aggregations, {
    x: { buckets: [{ key: 'a' }, { key: '__missing__' }], n: 4 },
    y: { c: 4 },
  });
  t.deepEqual(measures, [{ kind: 'terms', size: 1 }]);
});

test('two maxima in one facet: one request for the larger', async (t) => {
  const { aggregations, measures } = await run({
    facets: 'genres { few: buckets(max: 1) { key } all: buckets { key } }',
  });
  t.deepEqual(aggregations, {
    genres: {
      few: [{ key: 'a' }, { key: '__missing__' }],
      all: [{ key: 'a' }, { key: 'b' }, { key: 'c' }, { key: '__missing__' }],
    },
  });
  t.deepEqual(measures, [{ kind: 'terms', size: null, distinct: false }]);
});

test('fragments, directives and variables work; what is skipped is not queried', async (t) => {
  const { aggregations, measures } = await run({
    facets: `genres { ...on Aggregations { buckets(max: $n) { k: key } } cardinality @include(if: $no) }
      title @skip(if: true) { bucket_count } __typename`,
    variables: { n: 1 },
  });
  t.deepEqual(aggregations, {
    genres: { buckets: [{ k: 'a' }, { k: '__missing__' }] },
    __typename: 'bookAggregations',
  });
  t.deepEqual(measures, [{ kind: 'terms', size: 1, distinct: false }]);
});

test('top hits take their arguments in any order and keep them by alias', async (t) => {
  const { aggregations, measures } = await run({
    facets: `genres { buckets(max: 1) {
      t: top_hits(size: 1, _source: ["title"]) p: top_hits(_source: ["pages"]) again: top_hits(_source: ["title"]) } }`,
  });
  t.deepEqual(aggregations, {
    genres: {
      buckets: [
        {
          t: { of: 'a', source: ['title'] },
          p: { of: 'a', source: ['pages'] },
          again: { of: 'a', source: ['title'] },
        },
        { t: null, p: null, again: null },
      ],
    },
  });
  t.is(measures.length, 2);
});

test('filter_by_term counts under each filter, also two in one bucket', async (t) => {
  const leaf = (value: string) => `{op: "in", content: {fieldName: "title", value: ["${value}"]}}`;
  const { aggregations, measures } = await run({
    facets: `genres { buckets(max: 1) { one: filter_by_term(filter: ${leaf('x')}) two: filter_by_term(filter: ${leaf('y')}) } }`,
  });
  t.deepEqual(aggregations, {
    genres: {
      buckets: [
        { one: { doc_count: 0 }, two: { doc_count: 1 } },
        { one: null, two: null },
      ],
    },
  });
  t.is(measures.length, 1);
});

test('stats, histogram and ranges have defaults and the keys clients know', async (t) => {
  const { aggregations, measures } = await run({
    facets: `pages { stats { max least: min } histogram { bucket_count buckets { key doc_count } }
      range { buckets { key } } named: range(ranges: [{to: 10, key: "thin"}, {from: 10, to: 99}, {from: 99}]) { buckets { key } } }`,
  });
  t.deepEqual(aggregations, {
    pages: {
      stats: { max: 3, least: 1 },
      histogram: { bucket_count: null, buckets: [{ key: '1000', doc_count: 1 }] },
      range: { buckets: [{ key: '0.0-*' }] },
      named: { buckets: [{ key: 'thin' }, { key: '10.0-99.0' }, { key: '99.0-*' }] },
    },
  });
  t.is(measures.length, 4);
});

test('a calendar has defaults, and its zone is named as all nodes know it', async (t) => {
  const { aggregations } = await run({
    facets: `printed { months: date_histogram { buckets { key key_as_string doc_count } }
      days: date_histogram(interval: "day", timeZone: "europe/paris") { bucket_count buckets(max: 1) { key key_as_string } } }`,
  });
  t.deepEqual(aggregations, {
    printed: {
      months: { buckets: [{ key: 'UTC', key_as_string: 'month', doc_count: 1 }] },
      days: { bucket_count: null, buckets: [{ key: 'Europe/Paris', key_as_string: 'day' }] },
    },
  });
});

test('percentiles are read from one list of counts, in the order requested', async (t) => {
  const { aggregations, measures } = await run({
    facets: `pages { percentiles { percent lower upper } log_counts
      all: percentiles(percents: [100, 0, 75.5]) { __typename p: percent lower } }`,
  });
  t.deepEqual(aggregations, {
    pages: {
      percentiles: [
        { percent: 50, lower: 1, upper: 1.0202 },
        { percent: 95, lower: 1.0202 ** 35, upper: 1.0202 ** 36 },
      ],
      log_counts: {
        gamma: 1.0202,
        zero: 1,
        positive: [
          [0, 2],
          [35, 1],
        ],
        negative: [],
      },
      all: [
        { __typename: 'Percentile', p: 100, lower: 1.0202 ** 35 },
        { __typename: 'Percentile', p: 0, lower: 0 },
        { __typename: 'Percentile', p: 75.5, lower: 1.0202 ** 35 },
      ],
    },
  });
  t.is(measures.length, 1);
});

test('lists of one text share a request, and their number counts what matches', async (t) => {
  const { measures } = await run({
    facets: `genres { bucket_count a: buckets(max: 1, matching: "Él") { key top_hits } b: buckets(max: 2, matching: "EL") { key } }
      isbn_10 { bucket_count buckets(matching: "x") { key } all: buckets(matching: "") { key } }`,
  });
  t.deepEqual(measures, [
    { kind: 'terms', size: 2, matching: 'el', topHits: { source: null, size: 1 } },
    { kind: 'terms', size: null, matching: 'x', distinct: false },
    { kind: 'terms', size: null },
  ]);
});

test('percentiles of nothing are null', async (t) => {
  const none = { kind: 'percentiles', level: 0, zero: 0, positive: [], negative: [] } as const;
  const { aggregations } = await run(
    { facets: 'pages { percentiles(percents: [5]) { percent value lower upper } }' },
    () => none,
  );
  const nothing = { percent: 5, value: null, lower: null, upper: null };
  t.deepEqual(aggregations, { pages: { percentiles: [nothing] } });
});

test('the ends of ranges are decimals and numbers past 2^31 too', async (t) => {
  const { aggregations } = await run({
    facets: `pages { range(ranges: [{from: 0.15, to: 1.1}, {from: 0.1, to: 3000000000}, {from: 1714521600000}]) { buckets { key } } }`,
  });
  const keys = ['0.1-3000000000.0', '0.15-1.1', '1714521600000.0-*'];
  t.deepEqual(aggregations, { pages: { range: { buckets: keys.map((key) => ({ key })) } } });
});

test('ranges come by their lower ends, then their upper ones, in whatever order they are requested', async (t) => {
  const { aggregations } = await run({
    facets: `pages { range(ranges: [{from: 9}, {from: 1, to: 9}, {from: 1, to: 5}, {key: "all"}, {to: 3}]) { buckets { key } } }`,
  });
  const keys = ['*-3.0', 'all', '1.0-5.0', '1.0-9.0', '9.0-*'];
  t.deepEqual(aggregations, { pages: { range: { buckets: keys.map((key) => ({ key })) } } });
});

test('fields of nested objects and sanitised names are counted under their raw path', async (t) => {
  const { aggregations } = await run({
    facets: 'isbn_10 { cardinality } copies__loans__reader { cardinality }',
  });
  t.deepEqual(aggregations, {
    isbn_10: { cardinality: 'isbn-10'.length },
    copies__loans__reader: { cardinality: 'copies.loans.reader'.length },
  });
});

test('an exact number is its own bounds', async (t) => {
  const { aggregations, measures } = await run({
    facets:
      'genres { cardinality } pages { cardinality cardinality_bounds { __typename l: lower upper exact } }',
  });
  t.deepEqual(aggregations, {
    genres: { cardinality: 6 },
    pages: {
      cardinality: 5,
      cardinality_bounds: { __typename: 'CardinalityBounds', l: 5, upper: 5, exact: true },
    },
  });
  t.deepEqual(measures, [{ kind: 'cardinality' }, { kind: 'cardinality' }]);
});

test('an approximate number is 1 % off at most', async (t) => {
  const { aggregations } = await run(
    { facets: 'genres { cardinality cardinality_bounds { lower upper exact } }' },
    () => ({ kind: 'cardinality', value: 9_999, exact: false }),
  );
  t.deepEqual(aggregations, {
    genres: { cardinality: 9_999, cardinality_bounds: { lower: 9_899, upper: 10_099, exact: false } },
  });
});

test('the sum of no values is 0, their other statistics are nothing', async (t) => {
  const none = { kind: 'stats', count: 0, min: null, max: null, avg: null, sum: null } as const;
  const { aggregations } = await run({ facets: 'pages { stats { min max count avg sum } }' }, () => none);
  t.deepEqual(aggregations, { pages: { stats: { min: null, max: null, count: 0, avg: null, sum: 0 } } });
});

test('an alias called __proto__ is a name like others', async (t) => {
  const { aggregations } = await run({
    facets: '__proto__: genres { __proto__: buckets(max: 1) { __proto__: key doc_count } }',
  });
  const buckets = '[{"__proto__":"a","doc_count":3},{"__proto__":"__missing__","doc_count":4}]';
  t.is(JSON.stringify(aggregations), `{"__proto__":{"__proto__":${buckets}}}`);
});

test('an answer of another kind than was requested is an error', async (t) => {
  const { aggregations, codes } = await run({ facets: 'genres { buckets { key } }' }, () => ({
    kind: 'cardinality',
    value: 2,
    exact: true,
  }));
  t.is(aggregations, null);
  t.deepEqual(codes, ['ENGINE_ERROR']);
});

const unsupported = {
  'a calendar of numbers': 'pages { date_histogram { buckets { key } } }',
  'percentiles of dates': 'printed { percentiles { value } }',
  'counts by powers of dates': 'printed { log_counts }',
  'buckets of a text field': 'blurb { buckets { key } }',
};
for (const [what, facets] of Object.entries(unsupported))
  test(`${what}: that facet is an error, the others answer`, async (t) => {
    const [name] = facets.split(' ') as [string];
    const { aggregations, errors, codes } = await run({ facets: `${facets} genres { bucket_count }` });
    t.deepEqual(aggregations, { [name]: null, genres: { bucket_count: 4 } });
    t.is(errors.length, 1);
    t.deepEqual(codes, ['BAD_USER_INPUT']);
  });

const refused = {
  'a max of 0': 'genres { buckets(max: 0) { key } }',
  'a negative max': 'genres { buckets(max: -1) { key } }',
  'an interval of 0': 'pages { histogram(interval: 0) { buckets { key } } }',
  'an interval that is not finite': 'pages { histogram(interval: 1e999) { buckets { key } } }',
  'a negative interval': 'copies__loans__days { histogram(interval: -5) { buckets { key } } }',
  'an interval that no calendar has': 'printed { date_histogram(interval: "fortnight") { buckets { key } } }',
  'a zone that nobody knows': 'printed { date_histogram(timeZone: "Europe/Atlantis") { buckets { key } } }',
  'a text of more than 1 000 characters': `genres { buckets(matching: "${'a'.repeat(1_001)}") { key } }`,
  'no percents': 'pages { percentiles(percents: []) { value } }',
  'a percent below 0': 'pages { percentiles(percents: [50, -0.1]) { value } }',
  'a percent above 100': 'pages { percentiles(percents: [100.1]) { value } }',
  'too many percents': `pages { percentiles(percents: [${'5,'.repeat(101)}]) { value } }`,
  'no ranges at all': 'pages { range(ranges: []) { buckets { key } } }',
  'a range without a finite end': 'pages { range(ranges: [{from: 1e999}]) { buckets { key } } }',
  'a malformed filter_by_term': 'genres { buckets { filter_by_term(filter: {op: "nope"}) } }',
};
for (const [what, facets] of Object.entries(refused))
  test(`${what}: the whole facet answer is an error`, async (t) => {
    const { aggregations, codes } = await run({ facets });
    t.is(aggregations, null);
    t.deepEqual(codes, ['BAD_USER_INPUT']);
  });

for (const [field, variables] of [
  ['range(ranges: $ranges)', { ranges: [{ from: 1, key: '\ud83d' }] }],
  ['groups(sets: "[{\\"key\\": \\"\\\\ud83d\\", \\"values\\": [\\"1\\"]}]")', {}],
] as const)
  test(`names of buckets are valid Unicode, as nodes echo them: ${field}`, async (t) => {
    const { codes } = await run({ facets: `pages { ${field} { buckets { key } } }`, variables });
    t.deepEqual(codes, ['BAD_USER_INPUT']);
  });
