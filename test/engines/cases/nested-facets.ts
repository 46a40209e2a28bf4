import { allTerms, buckets, group, leaf, steps, type Collection } from './case.ts';
import { library } from './three-levels.ts';

const name = 'rooms.name';
const label = 'rooms.shelves.label';
const books = 'rooms.shelves.books';
const title = `${books}.title`;
const pages = `${books}.pages`;
const tags = `${books}.tags`;

const x = leaf('in', title, 'x');
const long = leaf('gte', pages, 100);

/** Facets on objects within objects: which documents and which objects they look at, and what they count. */
export const nestedFacets: Collection = {
  name: 'nested facets',
  ...library,
  checks: [
    {
      name: 'three levels down',
      counted: title,
      sqon: {},
      measure: allTerms,
      result: buckets(1, ['x', 2], ['y', 2], ['z', 1]),
    },
    {
      name: 'two levels down',
      counted: label,
      sqon: null,
      measure: allTerms,
      result: buckets(1, ['a', 2], ['b', 2], ['c', 1]),
    },
    {
      name: 'one level down',
      counted: name,
      sqon: null,
      measure: allTerms,
      result: buckets(1, ['south', 3], ['north', 2]),
    },
    {
      name: 'some objects lack it',
      counted: tags,
      sqon: {},
      measure: allTerms,
      result: buckets(4, ['old', 1], ['red', 1]),
    },
    {
      name: 'documents without objects lack nothing',
      counted: title,
      sqon: leaf('in', 'rooms', '__missing__'),
      measure: allTerms,
      result: buckets(0),
    },
    {
      name: 'objects without values',
      counted: title,
      sqon: leaf('in', name, '__missing__'),
      measure: allTerms,
      result: buckets(1),
    },
    {
      name: 'a condition on an ancestor restricts the objects',
      counted: title,
      sqon: leaf('in', label, 'a'),
      measure: allTerms,
      result: buckets(0, ['y', 2], ['x', 1]),
    },
    {
      name: 'a condition two levels above',
      counted: title,
      sqon: leaf('in', name, 'south'),
      measure: allTerms,
      result: buckets(0, ['x', 1], ['z', 1]),
    },
    {
      name: 'conditions on two ancestors',
      counted: title,
      sqon: group('and', [leaf('in', name, 'north'), leaf('in', label, 'a')]),
      measure: allTerms,
      result: buckets(0, ['y', 2], ['x', 1]),
    },
    {
      name: 'conditions that two objects meet: those that meet any of them',
      counted: title,
      sqon: group('and', [leaf('in', tags, 'red'), long]),
      measure: allTerms,
      result: buckets(0, ['x', 1], ['y', 1]),
    },
    {
      name: 'values of all that two objects have: those that have any of them',
      counted: pages,
      sqon: leaf('all', title, ['x', 'y']),
      measure: allTerms,
      result: buckets(0, ['10', 2], ['200', 2]),
    },
    {
      name: 'a condition below: the object holds such a one',
      counted: label,
      sqon: x,
      measure: allTerms,
      result: buckets(0, ['a', 1], ['b', 1]),
    },
    {
      name: 'a condition on the document restricts no objects',
      counted: title,
      sqon: leaf('in', 'city', 'p'),
      measure: allTerms,
      result: buckets(0, ['x', 1], ['y', 1], ['z', 1]),
    },
    {
      name: 'a facet of the document under a nested condition',
      counted: 'city',
      sqon: x,
      measure: allTerms,
      result: buckets(0, ['p', 1], ['q', 1]),
    },
    {
      name: 'its own selection is left out',
      counted: title,
      sqon: x,
      measure: allTerms,
      result: buckets(1, ['x', 2], ['y', 2], ['z', 1]),
    },
    {
      name: 'its own selection is kept when requested',
      counted: title,
      sqon: x,
      filterThemselves: true,
      measure: allTerms,
      result: buckets(0, ['x', 2]),
    },
    {
      name: 'its own selection is left out of a pivot',
      counted: title,
      sqon: group('and', [x, long], books),
      measure: allTerms,
      result: buckets(0, ['x', 1], ['y', 1], ['z', 1]),
    },
    {
      name: 'its own selection is left out of an or',
      counted: title,
      sqon: group('or', [x, leaf('in', label, 'c')]),
      measure: allTerms,
      result: buckets(0, ['z', 1]),
    },
    {
      name: 'conditions of a pivot restrict the objects of their own levels',
      counted: pages,
      sqon: group('and', [leaf('in', name, 'south'), x], 'rooms'),
      measure: allTerms,
      result: buckets(0, ['200', 1]),
    },
    {
      name: 'an or over two levels restricts no objects',
      counted: title,
      sqon: group('or', [leaf('in', name, 'north'), leaf('in', label, 'c')]),
      measure: allTerms,
      result: buckets(0, ['x', 2], ['y', 2], ['z', 1]),
    },
    {
      name: 'an or on one level restricts objects',
      counted: pages,
      sqon: group('or', [x, leaf('in', title, 'z')]),
      measure: allTerms,
      result: buckets(0, ['10', 1], ['200', 1], ['300', 1], ['5', 1]),
    },
    {
      name: 'a not on one level restricts objects',
      counted: pages,
      sqon: group('not', [leaf('in', title, 'z')]),
      measure: allTerms,
      result: buckets(1, ['10', 2], ['200', 2]),
    },
    {
      name: 'a pattern is a search: it stays',
      counted: title,
      sqon: leaf('in', title, 'x*'),
      measure: allTerms,
      result: buckets(0, ['x', 2]),
    },
    {
      name: 'the size cuts, the number of values stays',
      counted: title,
      sqon: {},
      measure: { kind: 'terms', size: 1 },
      result: { kind: 'terms', buckets: [{ key: 'x', count: 2 }], distinct: 3, missing: 1 },
    },
    {
      name: 'filters of buckets count documents',
      counted: title,
      sqon: leaf('in', 'city', ['p', 'q']),
      measure: {
        kind: 'terms',
        size: 2,
        filters: [{ kind: 'terms', field: { path: 'city', type: 'keyword', nestedIn: [] }, values: ['p'] }],
      },
      result: {
        kind: 'terms',
        buckets: [
          { key: 'x', count: 2, filtered: [1] },
          { key: 'y', count: 2, filtered: [1] },
        ],
        distinct: 3,
        missing: 1,
      },
    },
    {
      name: 'top hits are paths of the object',
      counted: title,
      sqon: leaf('in', 'city', 'p'),
      measure: { kind: 'terms', size: 5, topHits: { source: ['pages', 'tags'], size: 1 } },
      result: {
        kind: 'terms',
        buckets: [
          { key: 'x', count: 1, topHit: { pages: 10, tags: ['red', 'old'] } },
          { key: 'y', count: 1, topHit: { pages: 200 } },
          { key: 'z', count: 1, topHit: { pages: [5, 300] } },
        ],
        distinct: 3,
        missing: 0,
      },
    },
    {
      name: 'stats count values',
      counted: pages,
      sqon: {},
      measure: { kind: 'stats' },
      result: { kind: 'stats', count: 6, min: 5, max: 300, sum: 725, avg: 725 / 6 },
    },
    {
      name: 'stats of restricted objects',
      counted: pages,
      sqon: leaf('in', label, 'a'),
      measure: { kind: 'stats' },
      result: { kind: 'stats', count: 3, min: 10, max: 200, sum: 220, avg: 220 / 3 },
    },
    {
      name: 'stats of no objects',
      counted: pages,
      sqon: leaf('in', 'rooms', '__missing__'),
      measure: { kind: 'stats' },
      result: { kind: 'stats', count: 0, min: null, max: null, sum: null, avg: null },
    },
    {
      name: 'a histogram counts objects',
      counted: pages,
      sqon: {},
      measure: { kind: 'histogram', interval: 100 },
      result: steps('histogram', ['0', 3], ['100', 0], ['200', 2], ['300', 1]),
    },
    {
      name: 'ranges count objects',
      counted: pages,
      sqon: leaf('not-in', 'city', 'q'),
      measure: {
        kind: 'range',
        ranges: [{ key: 'any' }, { key: 'short', to: 200 }, { key: 'long', from: 200 }],
      },
      result: steps('range', ['any', 3], ['short', 2], ['long', 2]),
    },
    {
      name: 'distinct values',
      counted: title,
      sqon: leaf('in', label, ['a', 'c']),
      measure: { kind: 'cardinality' },
      result: { kind: 'cardinality', value: 3, exact: true },
    },
  ],
};

/** Facets on nested objects at a path that every object of JavaScript inherits. */
export const inheritedNames: Collection = {
  name: 'inherited names',
  mapping: { properties: { constructor: { type: 'nested', properties: { name: { type: 'keyword' } } } } },
  documents: {
    one: { constructor: [{ name: 'a' }, { name: 'b' }] },
    two: { constructor: { name: 'a' } },
  },
  checks: [
    {
      name: 'all objects',
      counted: 'constructor.name',
      sqon: {},
      measure: allTerms,
      result: buckets(0, ['a', 2], ['b', 1]),
    },
    {
      name: 'some objects',
      counted: 'constructor.name',
      sqon: leaf('in', 'constructor.name', 'b'),
      filterThemselves: true,
      measure: allTerms,
      result: buckets(0, ['b', 1]),
    },
    {
      name: 'sets of values',
      counted: 'constructor.name',
      sqon: {},
      measure: { kind: 'groups', values: ['a', 'b'], sets: [{ key: 'both', members: [0, 1] }] },
      result: steps('groups', ['both', 2]),
    },
  ],
};
