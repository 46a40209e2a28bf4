import { field, range, sort, terms, type Collection } from './case.ts';

const name = field('name', 'keyword');
const weight = field('weight', 'long');
const price = field('price', 'double');
const day = field('day', 'date');
const ok = field('ok', 'boolean');

const missingFirst = '-9223372036854775808';
const missingLast = '9223372036854775807';

/** The order of hits, their cursors and sources. */
export const sorting: Collection = {
  name: 'sorting and pages',
  mapping: {
    properties: {
      name: { type: 'keyword' },
      weight: { type: 'long' },
      price: { type: 'double' },
      day: { type: 'date' },
      ok: { type: 'boolean' },
      words: { type: 'text' },
    },
  },
  documents: {
    1: { name: 'b', weight: 5, price: 1.5, day: '1970-01-01T00:00:01Z', ok: true },
    2: {
      name: ['a', '\u{1F34E}'],
      weight: ['9007199254740993', 1],
      price: [1, 2, 6],
      o: [{ k: 1, l: 2 }, { l: 3 }, 4],
    },
    3: { weight: '9007199254740992', ok: false },
    4: { name: '\uFF01', price: 0, weight: [1, 2] },
  },
  checks: [
    {
      name: 'without a sort: as written',
      hits: {},
      ids: ['1', '2', '3', '4'],
      total: 4,
      cursors: [[], [], [], []],
    },
    { name: 'pages', hits: { offset: 1, size: 2 }, ids: ['2', '3'], total: 4 },
    { name: 'only the total', hits: { size: 0 }, ids: [], total: 4 },
    { name: 'no total', hits: { trackTotal: false }, ids: ['1', '2', '3', '4'], total: null },
    {
      name: 'keywords by bytes, the smallest of several',
      hits: { sort: [sort(name)] },
      ids: ['3', '2', '1', '4'],
      cursors: [[null], ['a'], ['b'], ['\uFF01']],
    },
    {
      name: 'descending: the largest of several',
      hits: { sort: [sort(name, 'desc')] },
      ids: ['2', '4', '1', '3'],
      cursors: [['\u{1F34E}'], ['\uFF01'], ['b'], [null]],
    },
    { name: 'missing ones last', hits: { sort: [sort(name, 'asc', 'last')] }, ids: ['2', '1', '4', '3'] },
    {
      name: 'longs past 2^53 exactly',
      hits: { sort: [sort(weight, 'desc')] },
      ids: ['2', '3', '1', '4'],
      cursors: [['9007199254740993'], ['9007199254740992'], [5], [2]],
    },
    {
      name: 'equal values in the order of writing',
      hits: { sort: [sort(weight)] },
      ids: ['2', '4', '1', '3'],
    },
    {
      name: 'averages',
      hits: { sort: [sort(price, 'asc', 'last', 'avg')] },
      ids: ['4', '1', '2', '3'],
      cursors: [[0], [1.5], [3], ['Infinity']],
    },
    { name: 'medians', hits: { sort: [sort(price, 'desc', 'first', 'median')] }, ids: ['3', '2', '1', '4'] },
    {
      name: 'averages of whole numbers are rounded',
      hits: { filter: terms(field('_id', '_id'), '4'), sort: [sort(weight, 'asc', 'first', 'avg')] },
      cursors: [[2]],
    },
    {
      name: 'missing dates',
      hits: { sort: [sort(day, 'desc', 'last')] },
      ids: ['1', '2', '3', '4'],
      cursors: [[1000], [missingFirst], [missingFirst], [missingFirst]],
    },
    {
      name: 'missing dates at the other end',
      hits: { sort: [sort(day, 'desc', 'first')], size: 1 },
      ids: ['2'],
      cursors: [[missingLast]],
    },
    {
      name: 'booleans',
      hits: { sort: [sort(ok, 'asc', 'last')] },
      ids: ['3', '1', '2', '4'],
      cursors: [[false], [true], [null], [null]],
    },
    { name: 'the key', hits: { sort: [sort(field('_id', '_id'), 'desc')] }, ids: ['4', '3', '2', '1'] },
    {
      name: 'no such field',
      hits: { sort: [sort(field('nowhere', 'long')), sort(name)] },
      ids: ['3', '2', '1', '4'],
    },
    { name: 'several keys', hits: { sort: [sort(ok, 'desc'), sort(name)] }, ids: ['1', '3', '2', '4'] },
    {
      name: 'after a cursor without its tie-break',
      hits: { sort: [sort(name)], searchAfter: ['a'] },
      ids: ['1', '4'],
      total: 4,
    },
    {
      name: 'after a missing keyword',
      hits: { sort: [sort(name)], searchAfter: [null, 3] },
      ids: ['2', '1', '4'],
    },
    {
      name: 'after a missing date, within the ties',
      hits: { sort: [sort(day, 'desc')], searchAfter: [missingFirst, 2] },
      ids: ['3', '4'],
    },
    {
      name: 'after an exact long',
      hits: { sort: [sort(weight, 'desc')], searchAfter: ['9007199254740993'] },
      ids: ['3', '1', '4'],
    },
    {
      name: 'a cursor of the wrong length',
      failing: { sort: [], searchAfter: [1, 2] },
      code: 'BAD_USER_INPUT',
    },
    {
      name: 'a cursor of the wrong type',
      failing: { sort: [sort(weight)], searchAfter: ['x'] },
      code: 'BAD_USER_INPUT',
    },
    {
      name: 'text cannot be sorted',
      failing: { sort: [sort(field('words', 'text'))] },
      code: 'BAD_USER_INPUT',
    },
    {
      name: 'keywords have no average',
      failing: { sort: [sort(name, 'asc', 'last', 'avg')] },
      code: 'BAD_USER_INPUT',
    },
    {
      name: 'sources by path, through lists',
      hits: { filter: terms(field('_id', '_id'), '2'), source: ['o.k', 'price'] },
      sources: [{ price: [1, 2, 6], o: [{ k: 1 }, {}] }],
    },
    { name: 'no source', hits: { size: 1, source: [] }, sources: [{}] },
    { name: 'an exact long in a filter', filter: terms(weight, '9007199254740993'), ids: ['2'] },
    { name: 'an exact bound', filter: range(weight, { gt: '9007199254740992' }), ids: ['2'] },
  ],
};
