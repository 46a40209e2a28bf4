import { field, sort, terms, type Collection } from './case.ts';

const g = field('g', 'integer');
const k = field('k', 'keyword');
const x = field('x', 'double');
const ok = field('ok', 'boolean');
const id = field('id', 'keyword');
const w = field('items.w', 'long', 'items');

const everyone = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** Pages by offset and by cursor: nothing is skipped, nothing repeated, whatever is equal or missing. */
export const pages: Collection = {
  name: 'pages',
  mapping: {
    properties: {
      id: { type: 'keyword' },
      g: { type: 'integer' },
      k: { type: 'keyword' },
      x: { type: 'double' },
      ok: { type: 'boolean' },
      big: { type: 'long' },
      at: { type: 'date' },
      items: { type: 'nested', properties: { w: { type: 'long' } } },
    },
  },
  documents: {
    a: {
      id: 'a',
      g: 1,
      k: 'x',
      x: 0.1,
      ok: true,
      big: '9007199254740993',
      at: '1969-12-31',
      items: [{ w: 3 }, { w: 1 }],
    },
    b: { id: 'b', g: 1, k: 'x', ok: false, big: '9007199254740992', at: '1970-01-01', items: [] },
    c: { id: 'c', g: 1, k: '\u{1F600}', x: -0.2, big: '-9007199254740993', items: { w: 1 } },
    d: { id: 'd', k: '', x: 1e-7, ok: true, at: ['2020-01-01', '1900-01-01'], items: {} },
    e: { id: 'e', g: 2, x: 1e21, ok: [true, false], big: 5 },
    f: { id: 'f', k: '\uFFFD', at: '1970-01-01' },
    g: { id: 'g', g: -2147483648, k: ['x', 'a'], x: 0.1, big: '-9223372036854775808' },
  },
  checks: [
    { name: 'one by one, without a sort', walk: { sort: [] }, size: 1, ids: everyone },
    { name: 'three by three, without a sort', walk: { sort: [] }, size: 3, ids: everyone },
    {
      name: 'through equal values',
      walk: { sort: [sort(g, 'asc', 'last')] },
      size: 2,
      ids: ['g', 'a', 'b', 'c', 'e', 'd', 'f'],
    },
    {
      name: 'one by one through equal and missing values',
      walk: { sort: [sort(g, 'desc', 'first')] },
      size: 1,
      ids: ['d', 'f', 'e', 'a', 'b', 'c', 'g'],
    },
    {
      name: 'keywords by bytes, missing first',
      walk: { sort: [sort(k)] },
      size: 2,
      ids: ['e', 'd', 'g', 'a', 'b', 'f', 'c'],
    },
    {
      name: 'keywords descending, missing last',
      walk: { sort: [sort(k, 'desc')] },
      size: 2,
      ids: ['c', 'f', 'a', 'b', 'g', 'd', 'e'],
    },
    {
      name: 'doubles, missing last',
      walk: { sort: [sort(x, 'asc', 'last')] },
      size: 1,
      ids: ['c', 'd', 'a', 'g', 'e', 'b', 'f'],
    },
    {
      name: 'doubles descending, missing first',
      walk: { sort: [sort(x, 'desc', 'first')] },
      size: 2,
      ids: ['b', 'f', 'e', 'a', 'g', 'd', 'c'],
    },
    {
      name: 'booleans, missing last',
      walk: { sort: [sort(ok, 'asc', 'last')] },
      size: 1,
      ids: ['b', 'e', 'a', 'd', 'c', 'f', 'g'],
    },
    {
      name: 'booleans descending, missing first',
      walk: { sort: [sort(ok, 'desc', 'first')] },
      size: 2,
      ids: ['c', 'f', 'g', 'a', 'd', 'e', 'b'],
    },
    {
      name: 'longs past 2^53',
      walk: { sort: [sort(field('big', 'long'), 'asc', 'last')] },
      size: 1,
      ids: ['g', 'c', 'e', 'b', 'a', 'd', 'f'],
    },
    {
      name: 'the least long and missing ones meet',
      walk: { sort: [sort(field('big', 'long'))] },
      size: 1,
      ids: ['d', 'f', 'g', 'c', 'e', 'b', 'a'],
    },
    {
      name: 'dates before the epoch',
      walk: { sort: [sort(field('at', 'date'), 'asc', 'last')] },
      size: 2,
      ids: ['d', 'a', 'b', 'f', 'c', 'e', 'g'],
    },
    {
      name: 'dates descending',
      walk: { sort: [sort(field('at', 'date'), 'desc')] },
      size: 1,
      ids: ['d', 'b', 'f', 'a', 'c', 'e', 'g'],
    },
    {
      name: 'nested objects',
      walk: { sort: [sort(w, 'asc', 'last')] },
      size: 1,
      ids: ['a', 'c', 'b', 'd', 'e', 'f', 'g'],
    },
    {
      name: 'two keys, one by one',
      walk: { sort: [sort(g, 'desc', 'last'), sort(id, 'desc')] },
      size: 1,
      ids: ['e', 'c', 'b', 'a', 'g', 'f', 'd'],
    },
    {
      name: 'three keys with missing ones',
      walk: { sort: [sort(ok, 'asc', 'last'), sort(k, 'asc', 'last'), sort(x, 'desc')] },
      size: 1,
      ids: ['b', 'e', 'd', 'a', 'g', 'f', 'c'],
    },
    {
      name: 'an unmapped key',
      walk: { sort: [sort(field('gone', 'keyword')), sort(id)] },
      size: 3,
      ids: everyone,
    },
    {
      name: 'under a filter',
      walk: { sort: [sort(x, 'asc', 'last')], filter: terms(k, 'x') },
      size: 1,
      ids: ['a', 'g', 'b'],
    },
    { name: 'of nothing', walk: { sort: [sort(x)], filter: terms(k, 'none') }, size: 2, ids: [] },
    {
      name: 'the total beside a page',
      hits: { sort: [sort(id)], size: 2, offset: 4 },
      ids: ['e', 'f'],
      total: 7,
    },
    { name: 'an offset past the end', hits: { sort: [sort(id)], size: 2, offset: 7 }, ids: [], total: 7 },
    {
      name: 'the last page is short',
      hits: { sort: [sort(id, 'desc')], size: 4, offset: 4 },
      ids: ['c', 'b', 'a'],
    },
    {
      name: 'an untracked total under a filter',
      hits: { sort: [sort(id)], filter: terms(k, 'x'), trackTotal: false },
      ids: ['a', 'b', 'g'],
      total: null,
    },
    { name: 'an untracked total of no hits', hits: { size: 0, trackTotal: false }, ids: [], total: null },
    { name: 'the total of no hits', hits: { size: 0, filter: terms(g, 1) }, ids: [], total: 3 },
    {
      name: 'a cursor and an offset',
      hits: { sort: [sort(id)], searchAfter: ['b'], offset: 2, size: 2 },
      ids: ['e', 'f'],
      total: 7,
    },
    { name: 'a cursor past the end', hits: { sort: [sort(id)], searchAfter: ['z'] }, ids: [], total: 7 },
    { name: 'an empty cursor is none', hits: { sort: [sort(id)], searchAfter: [], size: 1 }, ids: ['a'] },
    {
      name: 'a cursor of a value that nothing has',
      hits: { sort: [sort(x)], searchAfter: [0.15] },
      ids: ['e'],
    },
    {
      name: 'a cursor of digits',
      hits: { sort: [sort(field('big', 'long'))], searchAfter: ['9007199254740992'], size: 5 },
      ids: ['a'],
    },
    {
      name: 'a cursor too short',
      failing: { sort: [sort(g), sort(id)], searchAfter: [1] },
      code: 'BAD_USER_INPUT',
    },
    {
      name: 'a cursor of a word for a number',
      failing: { sort: [sort(x)], searchAfter: ['much'] },
      code: 'BAD_USER_INPUT',
    },
  ],
};

const price = field('price', 'scaled_float');
const huge = field('huge', 'unsigned_long');

/** Some documents have two values, some none. */
const numbersOf = (n: number): readonly number[] =>
  n % 5 === 0 ? [] : n % 7 === 0 ? [n, 3] : [(n * 11) % 40];

const numbered = Array.from({ length: 40 }, (_, n) => ({
  id: `n${String(n).padStart(2, '0')}`,
  least: Math.min(...numbersOf(n)),
  document: { price: numbersOf(n), huge: numbersOf(n) },
}));

/** Those without a number are last. */
const byLeast = (direction: 1 | -1): readonly string[] => {
  const rank = ({ least }: (typeof numbered)[number]): number =>
    least === Infinity ? 1_000 : direction * least;
  return numbered.toSorted((left, right) => rank(left) - rank(right)).map((one) => one.id);
};

/** Enough documents with numbers of these types for servers to pass over some. */
export const pagesOfRareNumbers: Collection = {
  name: 'pages of rare numbers',
  mapping: {
    properties: { price: { type: 'scaled_float', scaling_factor: 100 }, huge: { type: 'unsigned_long' } },
  },
  rareTypes: ['scaled_float', 'unsigned_long'],
  documents: Object.fromEntries(numbered.map(({ id: key, document }) => [key, document])),
  checks: [price, huge].flatMap((on) =>
    ([1, -1] as const).map((direction) => ({
      name: `${on.path} ${direction === 1 ? 'ascending' : 'descending'}`,
      walk: { sort: [sort(on, direction === 1 ? 'asc' : 'desc', 'last', 'min')] },
      size: 7,
      ids: byLeast(direction),
    })),
  ),
};
