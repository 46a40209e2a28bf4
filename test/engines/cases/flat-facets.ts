import { terms as anyOf, allTerms, buckets, field, group, leaf, search, type Collection } from './case.ts';

const day = 86_400_000;

/** Records of some kinds, tags, sizes and dates. */
export const records: Pick<Collection, 'mapping' | 'documents'> = {
  mapping: {
    properties: {
      kind: { type: 'keyword' },
      tag: { type: 'keyword' },
      size: { type: 'integer' },
      width: { type: 'double' },
      at: { type: 'date' },
      ok: { type: 'boolean' },
      made: { properties: { by: { type: 'keyword' } } },
    },
  },
  documents: {
    1: { kind: 'x', tag: ['a', 'b'], size: -7, width: 0.05, at: '1969-12-31', ok: true, made: { by: 'Ann' } },
    2: { kind: 'x', tag: ['b', 'c'], size: -1, width: 0.25, at: '1970-01-01T12:00:00Z', ok: false },
    3: {
      kind: 'y',
      tag: 'B',
      size: 0,
      width: 0.3,
      at: ['1970-01-03', '1970-01-03T23:59:59Z'],
      made: { by: 'Bo' },
    },
    4: { kind: 'y', tag: ['b', '\u{10FFFF}', '\uFFFD', 'é'], size: [9, 10], width: [0.3, 0.4] },
    5: { tag: [], size: 10, width: -0.1 },
    6: { kind: ['x', 'y', ''] },
  },
};

/** Facets on fields of the document, under filters as clients write them. */
export const flatFacets: Collection = {
  name: 'flat facets',
  ...records,
  checks: [
    {
      name: 'no selection',
      counted: 'tag',
      sqon: {},
      measure: allTerms,
      result: buckets(2, ['b', 3], ['B', 1], ['a', 1], ['c', 1], ['é', 1], ['\uFFFD', 1], ['\u{10FFFF}', 1]),
    },
    {
      name: 'its own selection is left out',
      counted: 'kind',
      sqon: leaf('in', 'kind', 'x'),
      measure: allTerms,
      result: buckets(1, ['x', 3], ['y', 3], ['', 1]),
    },
    {
      name: 'its own selection is kept when requested',
      counted: 'kind',
      sqon: leaf('in', 'kind', 'x'),
      filterThemselves: true,
      measure: allTerms,
      result: buckets(0, ['x', 3], ['', 1], ['y', 1]),
    },
    {
      name: 'another selection is kept',
      counted: 'kind',
      sqon: group('and', [leaf('in', 'kind', 'x'), leaf('in', 'tag', 'b')]),
      measure: allTerms,
      result: buckets(0, ['x', 2], ['y', 1]),
    },
    {
      name: 'its own exclusion is left out',
      counted: 'tag',
      sqon: leaf('not-in', 'tag', ['b']),
      measure: { kind: 'terms', size: 1 },
      result: { kind: 'terms', buckets: [{ key: 'b', count: 3 }], distinct: 7, missing: 2 },
    },
    {
      name: 'its own missing is left out',
      counted: 'kind',
      sqon: leaf('in', 'kind', '__missing__'),
      measure: allTerms,
      result: buckets(1, ['x', 3], ['y', 3], ['', 1]),
    },
    {
      name: 'its own range is left out',
      counted: 'size',
      sqon: group('and', [leaf('gt', 'size', 5)]),
      measure: { kind: 'stats' },
      result: { kind: 'stats', count: 6, min: -7, max: 10, sum: 21, avg: 3.5 },
    },
    {
      name: 'its own selection in a not is left out',
      counted: 'kind',
      sqon: group('not', [leaf('in', 'kind', 'x'), leaf('in', 'tag', 'c')]),
      measure: allTerms,
      result: buckets(1, ['y', 3], ['x', 2], ['', 1]),
    },
    {
      name: 'a search on itself stays',
      counted: 'kind',
      sqon: search(['kind'], 'X'),
      measure: allTerms,
      result: buckets(0, ['x', 3], ['', 1], ['y', 1]),
    },
    {
      name: 'a pattern on itself stays',
      counted: 'tag',
      sqon: leaf('in', 'tag', 'c*'),
      measure: allTerms,
      result: buckets(0, ['b', 1], ['c', 1]),
    },
    {
      name: 'nothing found',
      counted: 'kind',
      sqon: leaf('in', 'size', 77),
      measure: allTerms,
      result: buckets(0),
    },
    {
      name: 'missing under a filter',
      counted: 'kind',
      sqon: leaf('gte', 'size', 10),
      measure: allTerms,
      result: buckets(1, ['y', 1]),
    },
    {
      name: 'all lack it',
      counted: 'made.by',
      sqon: leaf('in', 'size', [9, -1]),
      measure: allTerms,
      result: buckets(2),
    },
    {
      name: 'a field of an object',
      counted: 'made.by',
      sqon: {},
      measure: allTerms,
      result: buckets(4, ['Ann', 1], ['Bo', 1]),
    },
    {
      name: 'an object: all of its documents',
      counted: 'made',
      sqon: leaf('in', 'kind', 'x'),
      measure: allTerms,
      result: buckets(3),
    },
    {
      name: 'dates are milliseconds',
      counted: 'at',
      sqon: leaf('lt', 'size', 0),
      measure: allTerms,
      result: buckets(0, [String(-day), 1], [String(day / 2), 1]),
    },
    {
      name: 'whole numbers, negative ones too',
      counted: 'size',
      sqon: {},
      measure: { kind: 'terms', size: 2 },
      result: {
        kind: 'terms',
        buckets: [
          { key: '10', count: 2 },
          { key: '-1', count: 1 },
        ],
        distinct: 5,
        missing: 1,
      },
    },
    {
      name: 'fractions',
      counted: 'width',
      sqon: leaf('in', 'kind', 'y'),
      measure: allTerms,
      result: buckets(1, ['0.3', 2], ['0.4', 1]),
    },
    {
      name: 'a bucket shows a whole document',
      counted: 'kind',
      sqon: leaf('in', 'size', -1),
      measure: { kind: 'terms', size: 3, topHits: { source: null, size: 1 } },
      result: {
        kind: 'terms',
        buckets: [
          {
            key: 'x',
            count: 1,
            topHit: {
              kind: 'x',
              tag: ['b', 'c'],
              size: -1,
              width: 0.25,
              at: '1970-01-01T12:00:00Z',
              ok: false,
            },
          },
        ],
        distinct: 1,
        missing: 0,
      },
    },
    {
      name: 'a bucket shows paths, or none that are there',
      counted: 'tag',
      sqon: leaf('in', 'kind', 'x'),
      measure: { kind: 'terms', size: 1, topHits: { source: ['nothing'], size: 1 } },
      result: { kind: 'terms', buckets: [{ key: 'b', count: 2, topHit: {} }], distinct: 3, missing: 1 },
    },
    {
      name: 'filters of buckets, unknown fields among them',
      counted: 'kind',
      sqon: {},
      measure: {
        kind: 'terms',
        size: null,
        filters: [
          anyOf(field('tag', 'keyword'), 'b'),
          anyOf(field('nowhere', 'keyword'), 'b'),
          { kind: 'all' },
        ],
      },
      result: {
        kind: 'terms',
        buckets: [
          { key: 'x', count: 3, filtered: [2, 0, 3] },
          { key: 'y', count: 3, filtered: [1, 0, 3] },
          { key: '', count: 1, filtered: [0, 0, 1] },
        ],
        distinct: 3,
        missing: 1,
      },
    },
  ],
};
