import type { IndexField } from '../../src/introspection/fields/field.ts';
import type { JsonObject, JsonValue } from '../../src/lib/json/json.ts';

/** Random choices that a seed repeats. */
export interface Random {
  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** The generator mulberry32. */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)]!,
  };
};

/** A mapping with a field of each kind at each level. */
export const mixedMapping: JsonObject = {
  dynamic: false,
  properties: {
    tag: { type: 'keyword' },
    short: { type: 'keyword', ignore_above: 3 },
    note: { type: 'text', fields: { raw: { type: 'keyword' } } },
    n: { type: 'integer', null_value: 7 },
    x: { type: 'double' },
    f: { type: 'float' },
    big: { type: 'long' },
    loose: { type: 'short', ignore_malformed: true },
    tiny: { type: 'byte' },
    huge: { type: 'unsigned_long' },
    half: { type: 'half_float' },
    price: { type: 'scaled_float', scaling_factor: 100 },
    d: { type: 'date' },
    day: { type: 'date', format: 'yyyy/MM/dd||epoch_second' },
    ok: { type: 'boolean' },
    o: { properties: { k: { type: 'keyword', copy_to: 'all' }, n: { type: 'long' } } },
    all: { type: 'keyword' },
    other: { type: 'alias', path: 'o.k' },
    items: {
      type: 'nested',
      properties: {
        color: { type: 'keyword', copy_to: 'all' },
        size: { type: 'integer' },
        at: { type: 'date' },
        about: { type: 'text' },
        labels: {
          type: 'nested',
          properties: {
            k: { type: 'keyword' },
            v: { type: 'double' },
            marks: {
              type: 'nested',
              properties: {
                k: { type: 'keyword', null_value: 'none' },
                w: { type: 'long' },
                at: { type: 'date' },
                ok: { type: 'boolean' },
              },
            },
          },
        },
      },
    },
  },
};

const inItems = ['items'];
const inLabels = ['items', 'items.labels'];
const inMarks = [...inLabels, 'items.labels.marks'];

/** Its fields, and some that it lacks. */
export const mixedFields: readonly IndexField[] = [
  { path: '_id', type: '_id', nestedIn: [] },
  { path: 'tag', type: 'keyword', nestedIn: [] },
  { path: 'short', type: 'keyword', nestedIn: [] },
  { path: 'note', type: 'text', nestedIn: [] },
  { path: 'note.raw', type: 'keyword', nestedIn: [] },
  { path: 'n', type: 'integer', nestedIn: [] },
  { path: 'x', type: 'double', nestedIn: [] },
  { path: 'f', type: 'float', nestedIn: [] },
  { path: 'big', type: 'long', nestedIn: [] },
  { path: 'loose', type: 'short', nestedIn: [] },
  { path: 'tiny', type: 'byte', nestedIn: [] },
  { path: 'huge', type: 'unsigned_long', nestedIn: [] },
  { path: 'half', type: 'half_float', nestedIn: [] },
  { path: 'price', type: 'scaled_float', nestedIn: [] },
  { path: 'd', type: 'date', nestedIn: [] },
  { path: 'day', type: 'date', nestedIn: [] },
  { path: 'ok', type: 'boolean', nestedIn: [] },
  { path: 'o', type: 'object', nestedIn: [] },
  { path: 'o.k', type: 'keyword', nestedIn: [] },
  { path: 'o.n', type: 'long', nestedIn: [] },
  { path: 'all', type: 'keyword', nestedIn: [] },
  { path: 'other', type: 'keyword', nestedIn: [] },
  { path: 'nowhere', type: 'keyword', nestedIn: [] },
  { path: 'items.color', type: 'keyword', nestedIn: inItems },
  { path: 'items.size', type: 'integer', nestedIn: inItems },
  { path: 'items.at', type: 'date', nestedIn: inItems },
  { path: 'items.nothing', type: 'keyword', nestedIn: inItems },
  { path: 'items.about', type: 'text', nestedIn: inItems },
  { path: 'items.labels.k', type: 'keyword', nestedIn: inLabels },
  { path: 'items.labels.v', type: 'double', nestedIn: inLabels },
  { path: 'items.labels.marks.k', type: 'keyword', nestedIn: inMarks },
  { path: 'items.labels.marks.w', type: 'long', nestedIn: inMarks },
  { path: 'items.labels.marks.at', type: 'date', nestedIn: inMarks },
  { path: 'items.labels.marks.ok', type: 'boolean', nestedIn: inMarks },
];

export const words = [
  'a',
  'b',
  'B',
  'ab',
  'Abc',
  '',
  'abcd',
  'Zoë',
  '\u{1F600}',
  'x\u{1F600}\u{1F601}y',
  '\u{20000}',
  '\uFFFD',
  '\uE000',
  'a b',
  'É',
  'ß a',
];
export const wholeNumbers = [-3, 0, 1, 2, 7, 100];
export const bigNumbers: readonly (number | string)[] = [
  0,
  5,
  '9007199254740993',
  '9007199254740992',
  '-9007199254740995',
  2 ** 60,
  '9223372036854775807',
  '-9223372036854775808',
];
export const hugeNumbers: readonly (number | string)[] = [
  0,
  3,
  '9007199254740993',
  '9223372036854775808',
  '18446744073709551615',
];
export const fractions = [-1.5, 0, 0.25, 0.5, 3, 1e9];
export const dates: readonly (string | number)[] = [
  '2020-01-01',
  '2020-01-01T12:00:00Z',
  '2021',
  0,
  '1969-12-31',
  1577836800000,
  '-0206-01-05',
  '-0044-03-15T12:00:00Z',
  '0001-01-01',
  '9999-12-31',
];
export const days: readonly (string | number)[] = [
  '2020/01/01',
  '1815/12/10',
  '2024/02/29',
  86_400,
  '-86400',
];

/** A random document of the mapping: lists, nulls, empty lists, single objects and unmapped keys included. */
export const randomDocument = (random: Random): JsonObject => ({
  ...some(random, 'tag', () => random.pick(words)),
  ...some(random, 'short', () => random.pick(words)),
  ...some(random, 'note', () => `${random.pick(words)}, ${random.pick(words)} ${random.pick(words)}!`),
  ...some(random, 'n', () => random.pick([...wholeNumbers, '12', '', 1.7])),
  ...some(random, 'x', () => random.pick(fractions)),
  ...some(random, 'f', () => random.pick([0.1, 0.5, '2.25', 1025.1])),
  ...some(random, 'big', () => random.pick(random.chance(0.2) ? bigNumbers : wholeNumbers)),
  ...some(random, 'loose', () => random.pick([1, 2, 'no number', 70_000])),
  ...some(random, 'tiny', () => random.pick([-128, 127, 5, 300])),
  ...some(random, 'huge', () => random.pick(hugeNumbers)),
  ...some(random, 'half', () => random.pick([0.1, 1, 2049, -0.5])),
  ...some(random, 'price', () => random.pick([0.1, 19.99, 19.994, -3, 1234.56])),
  ...some(random, 'd', () => random.pick(dates)),
  ...some(random, 'day', () => random.pick(days)),
  ...some(random, 'ok', () => random.pick([true, false, 'true', ''])),
  ...some(random, 'o', () => randomObject(random)),
  ...(random.chance(0.1) && { 'o.k': random.pick(words) }),
  ...some(random, 'items', () => randomItem(random)),
  ...(random.chance(0.2) && { unmapped: { any: ['thing', 1] } }),
});

const randomObject = (random: Random): JsonObject => ({
  ...some(random, 'k', () => random.pick(words)),
  ...some(random, 'n', () => random.pick(wholeNumbers)),
});

const randomItem = (random: Random): JsonObject => ({
  ...some(random, 'color', () => random.pick(words)),
  ...some(random, 'size', () => random.pick(wholeNumbers)),
  ...some(random, 'at', () => random.pick(dates)),
  ...some(random, 'about', () => `${random.pick(words)} ${random.pick(words)}`),
  ...some(random, 'labels', () => ({
    ...some(random, 'k', () => random.pick(words)),
    ...some(random, 'v', () => random.pick(fractions)),
    ...some(random, 'marks', () => randomMark(random)),
  })),
});

const randomMark = (random: Random): JsonObject => ({
  ...some(random, 'k', () => random.pick(words)),
  ...some(random, 'w', () => random.pick(random.chance(0.3) ? bigNumbers : wholeNumbers)),
  ...some(random, 'at', () => random.pick(dates)),
  ...some(random, 'ok', () => random.chance(0.5)),
});

/** Mostly one value, at times a list, null, an empty list or nothing. */
const some = (random: Random, key: string, value: () => JsonValue): JsonObject => {
  const form = random.below(10);
  if (form < 2) return {};
  if (form === 2) return { [key]: random.pick([null, [], [null]]) };
  if (form < 5) return { [key]: Array.from({ length: 1 + random.below(3) }, value) };
  return { [key]: value() };
};
