/**
 * Buckets between powers of gamma: whoever counts numbers in them knows each within 1 %, and counts of several nodes add
 * up. This is the idea of DDSketch (Masson, Rim, Lee 2019). Bucket i holds gamma^i <= value < gamma^(i+1), or of negative
 * numbers -gamma^(i+1) <= value < -gamma^i, so that each bucket is a range as search servers know them. Zero stands apart.
 *
 * Where values lie too far apart for `maxLogBuckets`, every engine takes gamma^2, gamma^4, ... instead: buckets of one
 * level are pairs of those of the level below. Which level depends only on what blocks hold values.
 */
const gamma = 1.0202;

/** The most buckets that are counted at once, empty ones among them. */
export const maxLogBuckets = 4_000;

/** Of a level; the greatest is enough for values of all sizes and both signs. */
export const maxLevel = 6;

/** The bounds of buckets of a level lie between powers of this. */
export const gammaOf = (level: number): number => gamma ** (2 ** level);

/** Consecutive indexes of level 0, found before they are counted one by one: values span few of them. */
const blockBits = 9;
const blockLength = 1 << blockBits;

export type Sign = 'positive' | 'negative';

const logGamma = Math.log(gamma);
/** The indexes of the least and of the greatest double. */
const firstIndex = Math.floor(Math.log(Number.MIN_VALUE) / logGamma);
const lastIndex = Math.floor(Math.log(Number.MAX_VALUE) / logGamma);

let computed: Float64Array | null = null;

/** The powers of gamma for all doubles, computed when they are first needed: 0, from the first index on, Infinity. */
const powers = (): Float64Array => {
  const table = new Float64Array(lastIndex - firstIndex + 3);
  for (let index = firstIndex + 1; index <= lastIndex; index += 1)
    table[index - firstIndex + 1] = gamma ** index;
  table[1] = Number.MIN_VALUE;
  table[table.length - 1] = Infinity;
  return table;
};

/** gamma^index; 0 below the least double, Infinity above the greatest. */
const powerOf = (index: number): number => {
  const table = (computed ??= powers());
  return table[Math.min(table.length - 1, Math.max(0, index - firstIndex + 1))]!;
};

/** The index, at level 0, of the bucket of a number that is not 0. */
export const logIndex = (value: number): number => {
  const table = (computed ??= powers());
  const size = Math.abs(value);
  let place = Math.floor(Math.log(size) / logGamma) - firstIndex + 1;
  // logarithms are rounded, powers are what counts
  if (value > 0) {
    while (table[place]! > size) place -= 1;
    while (table[place + 1]! <= size) place += 1;
  } else {
    while (table[place]! >= size) place -= 1;
    while (table[place + 1]! < size) place += 1;
  }
  return place + firstIndex - 1;
};

export const blockOf = (index: number): number => index >> blockBits;

/** The first index of a block at a level, and how many there are. */
export const indexesOfBlock = (block: number, level: number): readonly [first: number, length: number] => [
  (block << blockBits) >> level,
  blockLength >> level,
];

/** All blocks that doubles lie in, of either sign. */
export const allBlocks: readonly number[] = Array.from(
  { length: blockOf(lastIndex) - blockOf(firstIndex - 1) + 1 },
  (_, at) => blockOf(firstIndex - 1) + at,
);

/** The level at which so many blocks have no more buckets than are counted at once. */
export const levelFor = (blocks: number): number => {
  let level = 0;
  while (level < maxLevel && blocks * (blockLength >> level) > maxLogBuckets) level += 1;
  return level;
};

/** The bounds of consecutive buckets of level 0: from <= value < to. */
export const boundsOf = (sign: Sign, first: number, length: number): readonly [from: number, to: number] => {
  const [least, greatest] = [powerOf(first), powerOf(first + length)];
  return sign === 'positive' ? [Math.max(least, Number.MIN_VALUE), greatest] : [-greatest, 0 - least];
};
