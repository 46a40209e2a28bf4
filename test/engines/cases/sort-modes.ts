import { field, range, sort, type Collection } from './case.ts';

const n = field('n', 'long');
const x = field('x', 'double');
const r = field('r', 'float');
const i = field('i', 'integer');
const d = field('d', 'date');
const k = field('k', 'keyword');
const w = field('items.w', 'long', 'items');
const c = field('items.c', 'keyword', 'items');
const id = field('id', 'keyword');

/** Sorting by every mode and type, with the missing at either end, and in nested objects. */
export const sortModes: Collection = {
  name: 'sort modes',
  mapping: {
    properties: {
      id: { type: 'keyword' },
      n: { type: 'long' },
      x: { type: 'double' },
      r: { type: 'float' },
      i: { type: 'integer' },
      d: { type: 'date' },
      k: { type: 'keyword' },
      items: { type: 'nested', properties: { w: { type: 'long' }, c: { type: 'keyword' } } },
    },
  },
  documents: {
    a: {
      id: 'a',
      n: [1, 2, 10],
      x: [0.5, 1],
      r: [0.1, 0.2],
      i: 3,
      d: '2020-01-01',
      k: ['m', 'Z'],
      items: [{ w: 4, c: 'é' }, { w: [1, 1] }],
    },
    b: {
      id: 'b',
      n: [3, 4],
      x: -2.5,
      r: 1.5,
      i: [-5, 5],
      d: ['1960-01-01', '2021-01-01'],
      k: '\u{1F600}',
      items: { w: 7, c: 'z' },
    },
    c: { id: 'c', n: -8, x: [9, 9, 0], i: 0, d: '-0100-01-01', k: 'é', items: [{ c: 'b' }, { w: -3 }] },
    d: { id: 'd', k: '' },
    e: { id: 'e', n: [], items: [] },
  },
  checks: [
    { name: 'least, ascending', hits: { sort: [sort(n)] }, ids: ['d', 'e', 'c', 'a', 'b'] },
    {
      name: 'greatest, ascending',
      hits: { sort: [sort(n, 'asc', 'last', 'max')] },
      ids: ['c', 'b', 'a', 'd', 'e'],
      cursors: [[-8], [4], [10], ['9223372036854775807'], ['9223372036854775807']],
    },
    {
      name: 'least, descending',
      hits: { sort: [sort(n, 'desc', 'last', 'min')] },
      ids: ['b', 'a', 'c', 'd', 'e'],
      cursors: [[3], [1], [-8], ['-9223372036854775808'], ['-9223372036854775808']],
    },
    {
      name: 'greatest, descending, missing first',
      hits: { sort: [sort(n, 'desc', 'first')] },
      ids: ['d', 'e', 'a', 'b', 'c'],
    },
    {
      name: 'sums',
      hits: { sort: [sort(n, 'asc', 'last', 'sum')], size: 3 },
      ids: ['c', 'b', 'a'],
      cursors: [[-8], [7], [13]],
    },
    {
      name: 'averages of longs are rounded',
      hits: { sort: [sort(n, 'desc', 'last', 'avg')], size: 3 },
      ids: ['a', 'b', 'c'],
      cursors: [[4], [4], [-8]],
    },
    {
      name: 'averages, untracked',
      hits: { sort: [sort(n, 'desc', 'last', 'avg')], size: 3, trackTotal: false },
      ids: ['a', 'b', 'c'],
      total: null,
    },
    {
      name: 'averages of dates, untracked',
      hits: { sort: [sort(d, 'asc', 'last', 'avg')], size: 3, trackTotal: false },
      ids: ['c', 'b', 'a'],
      total: null,
    },
    {
      name: 'medians of longs are rounded',
      hits: { sort: [sort(n, 'desc', 'last', 'median'), sort(id)], size: 3 },
      ids: ['b', 'a', 'c'],
      cursors: [
        [4, 'b'],
        [2, 'a'],
        [-8, 'c'],
      ],
    },
    {
      name: 'doubles, missing last',
      hits: { sort: [sort(x, 'asc', 'last')] },
      ids: ['b', 'c', 'a', 'd', 'e'],
      cursors: [[-2.5], [0], [0.5], ['Infinity'], ['Infinity']],
    },
    {
      name: 'doubles, missing first',
      hits: { sort: [sort(x, 'asc', 'first', 'max')] },
      ids: ['d', 'e', 'b', 'a', 'c'],
      cursors: [['-Infinity'], ['-Infinity'], [-2.5], [1], [9]],
    },
    {
      name: 'sums of doubles',
      hits: { sort: [sort(x, 'desc', 'last', 'sum')], size: 3 },
      ids: ['c', 'a', 'b'],
      cursors: [[18], [1.5], [-2.5]],
    },
    {
      name: 'averages of doubles',
      hits: { sort: [sort(x, 'desc', 'last', 'avg')], size: 3 },
      ids: ['c', 'a', 'b'],
      cursors: [[6], [0.75], [-2.5]],
    },
    {
      name: 'medians of doubles',
      hits: { sort: [sort(x, 'desc', 'last', 'median')], size: 3 },
      ids: ['c', 'a', 'b'],
      cursors: [[9], [0.75], [-2.5]],
    },
    {
      name: 'floats as floats',
      hits: { sort: [sort(r, 'asc', 'last')], size: 2 },
      ids: ['a', 'b'],
      cursors: [[Math.fround(0.1)], [1.5]],
    },
    {
      name: 'sums of floats are floats',
      hits: { sort: [sort(r, 'desc', 'last', 'sum')], size: 2 },
      ids: ['b', 'a'],
      cursors: [[1.5], [Math.fround(0.3)]],
    },
    {
      name: 'averages of floats are floats',
      hits: { sort: [sort(r, 'desc', 'last', 'avg')], size: 2 },
      ids: ['b', 'a'],
      cursors: [[1.5], [Math.fround(0.15)]],
    },
    {
      name: 'integers',
      hits: { sort: [sort(i)] },
      ids: ['d', 'e', 'b', 'c', 'a'],
      cursors: [['-9223372036854775808'], ['-9223372036854775808'], [-5], [0], [3]],
    },
    {
      name: 'sums of integers that cancel out',
      hits: { sort: [sort(i, 'asc', 'last', 'sum'), sort(id, 'desc')], size: 3 },
      ids: ['c', 'b', 'a'],
      cursors: [
        [0, 'c'],
        [0, 'b'],
        [3, 'a'],
      ],
    },
    {
      name: 'dates, before the year 0 too',
      hits: { sort: [sort(d, 'asc', 'last')], size: 3 },
      ids: ['c', 'b', 'a'],
      cursors: [[-65_322_892_800_000], [-315_619_200_000], [1_577_836_800_000]],
    },
    {
      name: 'dates, the latest of several',
      hits: { sort: [sort(d, 'desc')], size: 2 },
      ids: ['b', 'a'],
      cursors: [[1_609_459_200_000], [1_577_836_800_000]],
    },
    {
      name: 'keywords by bytes',
      hits: { sort: [sort(k, 'asc', 'last')] },
      ids: ['d', 'a', 'c', 'b', 'e'],
      cursors: [[''], ['Z'], ['é'], ['\u{1F600}'], [null]],
    },
    {
      name: 'keywords, descending, missing first',
      hits: { sort: [sort(k, 'desc', 'first')] },
      ids: ['e', 'b', 'c', 'a', 'd'],
      cursors: [[null], ['\u{1F600}'], ['é'], ['m'], ['']],
    },
    {
      name: 'keywords, the greatest ascending',
      hits: { sort: [sort(k, 'asc', 'first', 'max')], size: 3 },
      ids: ['e', 'd', 'a'],
      cursors: [[null], [''], ['m']],
    },
    {
      name: 'nested: the least of all objects',
      hits: { sort: [sort(w, 'asc', 'last')] },
      ids: ['c', 'a', 'b', 'd', 'e'],
      cursors: [[-3], [1], [7], ['9223372036854775807'], ['9223372036854775807']],
    },
    {
      name: 'nested: sums over objects',
      hits: { sort: [sort(w, 'desc', 'last', 'sum')], size: 3 },
      ids: ['b', 'a', 'c'],
      cursors: [[7], [6], [-3]],
    },
    {
      name: 'nested: averages over values',
      hits: { sort: [sort(w, 'asc', 'last', 'avg')], size: 3 },
      ids: ['c', 'a', 'b'],
      cursors: [[-3], [2], [7]],
    },
    {
      name: 'nested: keywords, descending',
      hits: { sort: [sort(c, 'desc')] },
      ids: ['a', 'b', 'c', 'd', 'e'],
      cursors: [['é'], ['z'], ['b'], [null], [null]],
    },
    {
      name: 'nested: missing first',
      hits: { sort: [sort(c, 'asc', 'first')] },
      ids: ['d', 'e', 'c', 'b', 'a'],
    },
    {
      name: 'three keys',
      hits: { sort: [sort(n, 'asc', 'last', 'avg'), sort(i, 'desc'), sort(id)], size: 3 },
      ids: ['c', 'b', 'a'],
      cursors: [
        [-8, 0, 'c'],
        [4, 5, 'b'],
        [4, 3, 'a'],
      ],
    },
    {
      name: 'an unmapped key beside a mapped one',
      hits: { sort: [sort(field('gone', 'date'), 'desc'), sort(id, 'desc')], size: 2 },
      ids: ['e', 'd'],
      cursors: [
        ['-9223372036854775808', 'e'],
        ['-9223372036854775808', 'd'],
      ],
    },
    {
      name: 'sorted and filtered',
      hits: { filter: range(n, { gte: 2 }), sort: [sort(id, 'desc')] },
      ids: ['b', 'a'],
      total: 2,
    },
    {
      name: 'medians of keywords',
      failing: { sort: [sort(k, 'asc', 'last', 'median')] },
      code: 'BAD_USER_INPUT',
    },
    { name: 'sums of keywords', failing: { sort: [sort(c, 'asc', 'last', 'sum')] }, code: 'BAD_USER_INPUT' },
  ],
};
