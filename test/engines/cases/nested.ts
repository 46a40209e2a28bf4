import { all, and, nested, not, or } from '../../../src/sqon/filter.ts';
import { exists, field, range, sort, terms, type Collection } from './case.ts';

const color = field('items.color', 'keyword', 'items');
const grams = field('items.grams', 'long', 'items');
const label = field('items.labels.k', 'keyword', 'items', 'items.labels');
const kind = field('kind', 'keyword');

/** Nested objects: which one a condition is judged on, and what facets count. */
export const nestedObjects: Collection = {
  name: 'nested objects',
  mapping: {
    properties: {
      kind: { type: 'keyword' },
      items: {
        type: 'nested',
        properties: {
          color: { type: 'keyword' },
          grams: { type: 'long' },
          labels: { type: 'nested', properties: { k: { type: 'keyword' } } },
        },
      },
    },
  },
  documents: {
    1: {
      kind: 'x',
      items: [
        { color: 'red', grams: 100, labels: [{ k: 'p' }, { k: 'q' }] },
        { color: 'green', grams: 5, labels: [] },
      ],
    },
    2: {
      kind: 'x',
      items: [
        { color: 'red', grams: 5 },
        { color: 'red', grams: [7, 9], labels: { k: 'p' } },
      ],
    },
    3: { kind: 'y', items: [] },
    4: { kind: 'y', items: { color: null, grams: 50, labels: [{ k: 'r' }, {}] } },
    5: { kind: 'z' },
    6: { items: [null, { grams: 1 }, { color: ['red', 'blue'] }] },
  },
  checks: [
    { name: 'some object', filter: nested('items', terms(color, 'red')), ids: ['1', '2', '6'] },
    {
      name: 'one object must satisfy both',
      filter: nested('items', and([terms(color, 'red'), range(grams, { lt: 50 })])),
      ids: ['2'],
    },
    {
      name: 'two objects may share the work',
      filter: and([nested('items', terms(color, 'red')), nested('items', range(grams, { lt: 50 }))]),
      ids: ['1', '2', '6'],
    },
    { name: 'any object at all', filter: nested('items', all), ids: ['1', '2', '4', '6'] },
    { name: 'some object without a value', filter: nested('items', not(exists(color))), ids: ['4', '6'] },
    {
      name: 'no object with the value',
      filter: not(nested('items', terms(color, 'red'))),
      ids: ['3', '4', '5'],
    },
    { name: 'two levels down', filter: nested('items.labels', terms(label, 'p')), ids: ['1', '2'] },
    {
      name: 'two levels down below the same object',
      filter: nested('items', and([terms(color, 'red'), nested('items.labels', terms(label, 'q'))])),
      ids: ['1'],
    },
    {
      name: 'an object without labels',
      filter: nested('items', not(nested('items.labels', all))),
      ids: ['1', '2', '6'],
    },
    { name: 'no such nested path', filter: nested('nothing', all), ids: [] },
    {
      name: 'or within an object',
      filter: nested('items', or([terms(color, 'green'), terms(grams, 50)])),
      ids: ['1', '4'],
    },
    {
      name: 'a facet counts documents',
      facet: color,
      measure: { kind: 'terms', size: null },
      result: {
        kind: 'terms',
        buckets: [
          { key: 'red', count: 3 },
          { key: 'blue', count: 1 },
          { key: 'green', count: 1 },
        ],
        distinct: 3,
        missing: 2,
      },
    },
    {
      name: 'a facet on restricted objects',
      facet: color,
      filter: nested('items', range(grams, { lt: 50 })),
      objects: { items: range(grams, { lt: 50 }) },
      measure: { kind: 'terms', size: null },
      result: {
        kind: 'terms',
        buckets: [
          { key: 'green', count: 1 },
          { key: 'red', count: 1 },
        ],
        distinct: 2,
        missing: 1,
      },
    },
    {
      name: 'a deeper facet whose ancestors are restricted',
      facet: label,
      objects: { items: terms(color, 'red') },
      measure: { kind: 'terms', size: 1, topHits: { source: null, size: 1 }, filters: [terms(kind, 'x')] },
      result: {
        kind: 'terms',
        buckets: [{ key: 'p', count: 2, topHit: { k: 'p' }, filtered: [2] }],
        distinct: 2,
        missing: 0,
      },
    },
    {
      name: 'top hits are relative to the nested object',
      facet: color,
      measure: { kind: 'terms', size: 1, topHits: { source: ['grams'], size: 1 } },
      result: {
        kind: 'terms',
        buckets: [{ key: 'red', count: 3, topHit: { grams: 100 } }],
        distinct: 3,
        missing: 2,
      },
    },
    {
      name: 'stats count values',
      facet: grams,
      measure: { kind: 'stats' },
      result: { kind: 'stats', count: 7, min: 1, max: 100, sum: 177, avg: 177 / 7 },
    },
    {
      name: 'ranges count objects',
      facet: grams,
      measure: {
        kind: 'range',
        ranges: [
          { key: 'small', to: 10 },
          { key: 'large', from: 50 },
        ],
      },
      result: {
        kind: 'range',
        buckets: [
          { key: 'small', count: 4 },
          { key: 'large', count: 2 },
        ],
      },
    },
    {
      name: 'sorting takes the smallest of all objects',
      hits: { sort: [sort(grams)] },
      ids: ['3', '5', '6', '1', '2', '4'],
    },
    {
      name: 'sorting by sums',
      hits: { sort: [sort(grams, 'desc', 'last', 'sum')] },
      ids: ['1', '4', '2', '6', '3', '5'],
    },
    {
      name: 'sorting by a keyword two levels down',
      hits: { sort: [sort(label, 'desc', 'last', 'max')] },
      ids: ['4', '1', '2', '3', '5', '6'],
      cursors: [['r'], ['q'], ['p'], [null], [null], [null]],
    },
  ],
};
