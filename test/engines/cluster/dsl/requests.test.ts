import test from 'ava';
import type { Dialect } from '../../../../src/engines/cluster/dsl/hits.ts';
import { msearchItems } from '../../../../src/engines/cluster/dsl/msearch-items.ts';
import type { FacetQuery, HitsQuery, SearchQuery } from '../../../../src/engines/engine.ts';
import type { Measure } from '../../../../src/engines/measure.ts';
import { readFields } from '../../../../src/introspection/mapping/mapping.ts';
import type { JsonObject, JsonValue } from '../../../../src/lib/json/json.ts';
import { compileSqon, facetFilter } from '../../../../src/sqon/compile.ts';
import { parseSqon } from '../../../../src/sqon/parse.ts';
import { group, leaf, sort } from '../../cases/case.ts';

/** What a search server is sent, written out by hand: its meaning is shown by the cases, on real servers. */

const { fields } = readFields({
  sex: { type: 'keyword' },
  diagnosis: { type: 'keyword' },
  age: { type: 'integer' },
  weight: { type: 'double' },
  enrolled: { type: 'date' },
  specimens: { type: 'nested', properties: { kind: { type: 'keyword' }, grams: { type: 'long' } } },
});

const indexField = (path: string) => fields.get(path)!.indexField;

const everything = { op: 'and', content: [] };
const women = leaf('in', 'sex', ['Female']);
const over60 = leaf('gt', 'age', 60);
const largeBlood = group(
  'and',
  [leaf('in', 'specimens.kind', 'blood', 'specimens'), leaf('gte', 'specimens.grams', 5, 'specimens')],
  'specimens',
);

const page = (sqon: JsonValue, requested: Partial<HitsQuery> = {}): SearchQuery => ({
  hits: {
    filter: compileSqon(parseSqon(sqon), fields),
    ...{ size: 20, offset: 0, sort: [], searchAfter: null, source: ['sex'], trackTotal: true },
    ...requested,
  },
  facets: [],
});

/** A facet as clients count it: its own selections do not narrow it. */
const facet = (path: string, sqon: JsonValue, measure: Measure): FacetQuery => ({
  field: indexField(path),
  ...facetFilter(parseSqon(sqon), fields.get(path)!, fields, false),
  measure,
});

const openSearch: Dialect = { tieBreak: '_id' };
const elasticsearch8: Dialect = { tieBreak: '_seq_no' };

/** As JSON, which has no undefined properties. */
const bodies = (query: SearchQuery, dialect = openSearch): readonly JsonObject[] =>
  msearchItems(query, dialect).map(({ body }) => JSON.parse(JSON.stringify(body)) as JsonObject);

test('1: a page of records with one of two values', (t) => {
  const either = leaf('in', 'sex', ['Female', 'Male']);
  const shared = {
    query: { terms: { sex: ['Female', 'Male'] } },
    track_total_hits: true,
    size: 20,
    _source: { includes: ['sex'] },
  };
  t.deepEqual(bodies(page(either)), [{ ...shared, sort: [{ _id: 'asc' }] }]);
  t.deepEqual(bodies(page(either), elasticsearch8), [
    { ...shared, sort: [{ _seq_no: 'asc' }, { _shard_doc: 'asc' }] },
  ]);
});

test('2: a total of records without a value and outside a list', (t) => {
  const neither = group('and', [leaf('not-in', 'sex', ['Male']), leaf('in', 'age', ['__missing__'])]);
  t.deepEqual(bodies(page(neither, { size: 0 })), [
    {
      query: {
        bool: {
          must_not: [{ term: { sex: { value: 'Male' } } }, { exists: { field: 'age' } }],
        },
      },
      track_total_hits: true,
      size: 0,
    },
  ]);
});

test('3: both conditions of a pivot hold for one nested object', (t) => {
  t.deepEqual(bodies(page(largeBlood, { size: 0 })), [
    {
      query: {
        nested: {
          path: 'specimens',
          query: {
            bool: {
              filter: [
                { terms: { 'specimens.kind': ['blood'] } },
                { range: { 'specimens.grams': { gte: 5 } } },
              ],
            },
          },
          ignore_unmapped: true,
        },
      },
      track_total_hits: true,
      size: 0,
    },
  ]);
});

test('4: a wildcard or a span of dates, whose last day counts', (t) => {
  const span = group('or', [
    leaf('in', 'diagnosis', ['C50*']),
    leaf('between', 'enrolled', ['2020-01-01', '2020-12-31']),
  ]);
  t.deepEqual(bodies(page(span, { size: 0, trackTotal: false })), [
    {
      query: {
        bool: {
          should: [
            { wildcard: { diagnosis: { value: 'C50*' } } },
            // from midnight to the last millisecond of the year
            { range: { enrolled: { gte: 1577836800000, lte: 1609459199999, format: 'epoch_millis' } } },
          ],
          minimum_should_match: 1,
        },
      },
      track_total_hits: false,
      size: 0,
    },
  ]);
});

test('5: by number, then by text, with records without a value last', (t) => {
  const by = [sort(indexField('age'), 'desc', 'last'), sort(indexField('diagnosis'), 'asc', 'last')];
  t.deepEqual(bodies(page(women, { sort: by, offset: 40, source: null })), [
    {
      query: { term: { sex: { value: 'Female' } } },
      track_total_hits: true,
      size: 20,
      from: 40,
      sort: [
        {
          age: {
            order: 'desc',
            missing: '_last',
            mode: 'max',
            unmapped_type: 'long',
            numeric_type: 'long',
          },
        },
        { diagnosis: { order: 'asc', missing: '_last', mode: 'min', unmapped_type: 'keyword' } },
        { _id: 'asc' },
      ],
      _source: true,
    },
  ]);
});

test('6: the page after a cursor, by the mean of nested numbers', (t) => {
  const by = [sort(indexField('specimens.grams'), 'asc', 'first', 'avg')];
  const mean = {
    missing: '_first',
    mode: 'avg',
    unmapped_type: 'long',
    nested: { path: 'specimens' },
  };
  t.deepEqual(
    bodies(page(everything, { sort: by, searchAfter: [12.5, 'donor-7'], source: [], trackTotal: false })),
    [
      {
        query: { match_all: {} },
        // OpenSearch cannot skip hits here
        track_total_hits: true,
        size: 20,
        sort: [
          { 'specimens.grams': { order: 'asc', ...mean } },
          // the other way round: a missing value is the other extreme there
          { 'specimens.grams': { order: 'desc', ...mean } },
          { _id: 'asc' },
        ],
        search_after: [12.5, 12.5, 'donor-7'],
        _source: false,
      },
    ],
  );
});

test('7: the ten most frequent values, without their own selection', (t) => {
  const top = facet('sex', group('and', [women, over60]), { kind: 'terms', size: 10, distinct: false });
  t.deepEqual(bodies({ facets: [top] }), [
    {
      size: 0,
      track_total_hits: false,
      query: { range: { age: { gt: 60 } } },
      aggs: {
        f0_values: { terms: { field: 'sex', size: 10 } },
        f0_missing: { missing: { field: 'sex' } },
      },
    },
  ]);
});

test('8: values of nested objects that satisfy the rest of the filter, counted by record', (t) => {
  const kinds = facet('specimens.kind', largeBlood, { kind: 'terms', size: null });
  const documents = { documents: { reverse_nested: {} } };
  t.deepEqual(bodies({ facets: [kinds] }), [
    {
      size: 0,
      track_total_hits: false,
      query: {
        nested: {
          path: 'specimens',
          query: { range: { 'specimens.grams': { gte: 5 } } },
          ignore_unmapped: true,
        },
      },
      aggs: {
        in0: {
          nested: { path: 'specimens' },
          aggs: {
            in0: {
              filter: { range: { 'specimens.grams': { gte: 5 } } },
              aggs: {
                f0_values: {
                  terms: {
                    field: 'specimens.kind',
                    size: 65_535,
                    order: [{ documents: 'desc' }, { _key: 'asc' }],
                  },
                  aggs: documents,
                },
                f0_missing: { missing: { field: 'specimens.kind' }, aggs: documents },
              },
            },
          },
        },
      },
    },
  ]);
});

test('9: measures of one filter are one search', (t) => {
  const measures: readonly FacetQuery[] = [
    facet('age', women, { kind: 'stats' }),
    facet('weight', women, { kind: 'histogram', interval: 10 }),
    facet('age', women, {
      kind: 'range',
      ranges: [
        { key: 'young', to: 40 },
        { key: 'old', from: 40 },
      ],
    }),
    facet('diagnosis', women, { kind: 'cardinality' }),
  ];
  t.deepEqual(bodies({ facets: measures }), [
    {
      size: 0,
      track_total_hits: false,
      query: { term: { sex: { value: 'Female' } } },
      aggs: {
        f0_stats: { stats: { field: 'age' } },
        f1_buckets: { histogram: { field: 'weight', interval: 10, offset: 0, min_doc_count: 1 } },
        f2_buckets: {
          range: {
            field: 'age',
            ranges: [
              { key: '0', to: 40 },
              { key: '1', from: 40 },
            ],
          },
        },
        f3_values: { terms: { field: 'diagnosis', size: 1_000 } },
        f3_distinct: { cardinality: { field: 'diagnosis', precision_threshold: 40_000 } },
      },
    },
  ]);
});

test('10: a page and facets of two filters are three searches, the most facets first', (t) => {
  const selected = group('and', [women, over60]);
  const query = {
    ...page(selected, { size: 1 }),
    facets: [
      facet('sex', selected, { kind: 'cardinality' }),
      facet('weight', selected, { kind: 'stats' }),
      facet('enrolled', selected, { kind: 'date_histogram', interval: 'year', timeZone: 'Europe/Paris' }),
    ],
  } satisfies SearchQuery;
  const both = {
    bool: { filter: [{ terms: { sex: ['Female'] } }, { range: { age: { gt: 60 } } }] },
  };
  const ofFacets = { size: 0, track_total_hits: false };
  t.deepEqual(bodies(query), [
    {
      ...ofFacets,
      query: both,
      aggs: {
        f0_stats: { stats: { field: 'weight' } },
        f1_buckets: {
          date_histogram: {
            field: 'enrolled',
            calendar_interval: 'year',
            time_zone: 'Europe/Paris',
            min_doc_count: 1,
          },
        },
      },
    },
    {
      ...ofFacets,
      query: { range: { age: { gt: 60 } } },
      aggs: {
        f0_values: { terms: { field: 'sex', size: 1_000 } },
        f0_distinct: { cardinality: { field: 'sex', precision_threshold: 40_000 } },
      },
    },
    {
      query: both,
      track_total_hits: true,
      size: 1,
      sort: [{ _id: 'asc' }],
      _source: { includes: ['sex'] },
    },
  ]);
});
