import { field, range, terms, type Collection } from './case.ts';

const color = field('color', 'keyword');
const ok = field('ok', 'boolean');
const size = field('size', 'integer');
const width = field('width', 'double');
const day = field('day', 'date');

/** Facets on fields of the document. */
export const facets: Collection = {
  name: 'facets',
  mapping: {
    properties: {
      color: { type: 'keyword' },
      ok: { type: 'boolean' },
      size: { type: 'integer' },
      width: { type: 'double' },
      day: { type: 'date' },
      words: { type: 'text' },
      o: { properties: { k: { type: 'keyword' } } },
    },
  },
  documents: {
    1: { color: 'b', ok: true, size: 5, width: 0.5, day: '1970-01-01', n: 1 },
    2: { color: ['a', 'b', 'b'], ok: false, size: 25, width: -0.25, day: '1970-01-02' },
    3: { color: ['c', '\u{1F34E}', '\uFF01'], ok: [true, false], size: [5, 6, 48] },
    4: { size: -1 },
    5: { color: '', words: 'x' },
  },
  checks: [
    {
      name: 'count, then key by bytes',
      facet: color,
      measure: { kind: 'terms', size: null },
      result: {
        kind: 'terms',
        buckets: [
          { key: 'b', count: 2 },
          { key: '', count: 1 },
          { key: 'a', count: 1 },
          { key: 'c', count: 1 },
          { key: '\uFF01', count: 1 },
          { key: '\u{1F34E}', count: 1 },
        ],
        distinct: 6,
        missing: 1,
      },
    },
    {
      name: 'size cuts buckets, not the number of values',
      facet: color,
      measure: { kind: 'terms', size: 2 },
      result: {
        kind: 'terms',
        buckets: [
          { key: 'b', count: 2 },
          { key: '', count: 1 },
        ],
        distinct: 6,
        missing: 1,
      },
    },
    {
      name: 'booleans',
      facet: ok,
      measure: { kind: 'terms', size: null },
      result: {
        kind: 'terms',
        buckets: [
          { key: '0', keyAsString: 'false', count: 2 },
          { key: '1', keyAsString: 'true', count: 2 },
        ],
        distinct: 2,
        missing: 2,
      },
    },
    {
      name: 'whole numbers as keys',
      facet: size,
      filter: terms(color, 'b'),
      measure: { kind: 'terms', size: null },
      result: {
        kind: 'terms',
        buckets: [
          { key: '25', count: 1 },
          { key: '5', count: 1 },
        ],
        distinct: 2,
        missing: 0,
      },
    },
    {
      name: 'top hits and filters of buckets',
      facet: color,
      filter: range(size, { gte: 0 }),
      measure: {
        kind: 'terms',
        size: 1,
        topHits: { source: ['size', 'n'], size: 1 },
        filters: [terms(ok, true), terms(ok, false), terms(color, 'a', 'c')],
      },
      result: {
        kind: 'terms',
        buckets: [{ key: 'b', count: 2, topHit: { size: 5, n: 1 }, filtered: [1, 1, 1] }],
        distinct: 5,
        missing: 0,
      },
    },
    {
      name: 'an object has no values',
      facet: field('o', 'object'),
      measure: { kind: 'terms', size: null },
      result: { kind: 'terms', buckets: [], distinct: 0, missing: 5 },
    },
    {
      name: 'no such field',
      facet: field('nowhere', 'keyword'),
      filter: terms(color, 'b'),
      measure: { kind: 'terms', size: null },
      result: { kind: 'terms', buckets: [], distinct: 0, missing: 2 },
    },
    {
      name: 'stats over values',
      facet: size,
      measure: { kind: 'stats' },
      result: { kind: 'stats', count: 6, min: -1, max: 48, sum: 88, avg: 88 / 6 },
    },
    {
      name: 'stats of nothing',
      facet: size,
      filter: terms(color, ''),
      measure: { kind: 'stats' },
      result: { kind: 'stats', count: 0, min: null, max: null, sum: null, avg: null },
    },
    {
      name: 'stats of dates in epoch milliseconds',
      facet: day,
      measure: { kind: 'stats' },
      result: { kind: 'stats', count: 2, min: 0, max: 86_400_000, sum: 86_400_000, avg: 43_200_000 },
    },
    {
      name: 'a histogram without gaps; a document counts once in a bucket',
      facet: size,
      measure: { kind: 'histogram', interval: 10 },
      result: {
        kind: 'histogram',
        buckets: [
          { key: '-10', count: 1 },
          { key: '0', count: 2 },
          { key: '10', count: 0 },
          { key: '20', count: 1 },
          { key: '30', count: 0 },
          { key: '40', count: 1 },
        ],
      },
    },
    {
      name: 'a histogram with an offset',
      facet: size,
      filter: terms(color, 'b'),
      measure: { kind: 'histogram', interval: 20, offset: 5 },
      result: {
        kind: 'histogram',
        buckets: [
          { key: '5', count: 1 },
          { key: '25', count: 1 },
        ],
      },
    },
    {
      name: 'a histogram of fractions',
      facet: width,
      measure: { kind: 'histogram', interval: 0.5 },
      result: {
        kind: 'histogram',
        buckets: [
          { key: '-0.5', count: 1 },
          { key: '0', count: 0 },
          { key: '0.5', count: 1 },
        ],
      },
    },
    {
      name: 'ranges include from, exclude to',
      facet: size,
      measure: {
        kind: 'range',
        ranges: [
          { key: 'low', to: 5 },
          { key: 'middle', from: 5, to: 25 },
          { key: 'any' },
          { key: 'high', from: 25 },
        ],
      },
      result: {
        kind: 'range',
        buckets: [
          { key: 'low', count: 1 },
          { key: 'middle', count: 2 },
          { key: 'any', count: 4 },
          { key: 'high', count: 2 },
        ],
      },
    },
    {
      name: 'distinct values',
      facet: color,
      measure: { kind: 'cardinality' },
      result: { kind: 'cardinality', value: 6, exact: true },
    },
    {
      name: 'distinct numbers',
      facet: size,
      measure: { kind: 'cardinality' },
      result: { kind: 'cardinality', value: 5, exact: true },
    },
    {
      name: 'no interval',
      failing: { facet: size, measure: { kind: 'histogram', interval: 0 } },
      code: 'BAD_USER_INPUT',
    },
    {
      name: 'too many buckets',
      failing: { facet: day, measure: { kind: 'histogram', interval: 1 } },
      code: 'BAD_USER_INPUT',
    },
    {
      name: 'text',
      failing: { facet: field('words', 'text'), measure: { kind: 'terms', size: 10 } },
      code: 'BAD_USER_INPUT',
    },
    {
      name: 'stats of keywords',
      failing: { facet: color, measure: { kind: 'stats' } },
      code: 'BAD_USER_INPUT',
    },
  ],
};
