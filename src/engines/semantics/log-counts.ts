/**
 * Buckets between powers of gamma: numbers counted in them are known within 1 %, and counts of several nodes add up, as
 * in DDSketch (Masson, Rim, Lee 2019). Bucket i holds gamma^i <= value < gamma^(i+1) or, for negative numbers,
 * -gamma^(i+1) <= value < -gamma^i, so each bucket is a range in the sense of search servers. Zero is counted
 * separately.
 *
 * If the values span more than `maxLogBuckets`, every engine uses gamma^2, gamma^4, ... instead: each bucket of a level
 * merges two of the level below. The level depends only on which blocks hold values.
 */
const gamma = 1.0202;

/** The maximum number of buckets counted at once, including empty ones. */
export const maxLogBuckets = 4_000;

/** The highest level; it suffices for values of all magnitudes and both signs. */
export const maxLevel = 6;

/** The bounds of buckets of a level lie between powers of this. */
export const gammaOf = (level: number): number => gamma ** (2 ** level);

/**
 * Log2 of the consecutive level 0 indexes per block; non-empty blocks, usually few, are found before buckets are
 * counted.
 */
const blockBits = 9;
const blockLength = 1 << blockBits;

export type Sign = 'positive' | 'negative';

const logGamma = Math.log(gamma);
/** The indexes of the smallest and the largest double. */
const firstIndex = Math.floor(Math.log(Number.MIN_VALUE) / logGamma);
const lastIndex = Math.floor(Math.log(Number.MAX_VALUE) / logGamma);

let computed: Float64Array | null = null;

/** The powers of gamma for all doubles, computed on first use: 0, then from the first index on, then Infinity. */
const powers = (): Float64Array => {
  const table = new Float64Array(lastIndex - firstIndex + 3);
  for (let index = firstIndex + 1; index <= lastIndex; index += 1)
    table[index - firstIndex + 1] = gamma ** index;
  table[1] = Number.MIN_VALUE;
  table[table.length - 1] = Infinity;
  return table;
};

/** gamma^index; 0 below the smallest double, Infinity above the largest. */
const powerOf = (index: number): number => {
  const table = (computed ??= powers());
  return table[Math.min(table.length - 1, Math.max(0, index - firstIndex + 1))]!;
};

/** The index, at level 0, of the bucket of a number that is not 0. */
export const logIndex = (value: number): number => {
  const table = (computed ??= powers());
  const size = Math.abs(value);
  let index = Math.floor(Math.log(size) / logGamma) - firstIndex + 1;
  // logarithms are rounded; the powers are authoritative
  if (value > 0) {
    while (table[index]! > size) index -= 1;
    while (table[index + 1]! <= size) index += 1;
  } else {
    while (table[index]! >= size) index -= 1;
    while (table[index + 1]! < size) index += 1;
  }
  return index + firstIndex - 1;
};

/** The block that a level-0 index is in. */
export const blockOf = (index: number): number => index >> blockBits;

/** The first index of a block at a level, and the number of indexes. */
export const indexesOfBlock = (block: number, level: number): readonly [first: number, length: number] => [
  (block << blockBits) >> level,
  blockLength >> level,
];

/** All blocks that doubles of either sign can lie in. */
export const allBlocks: readonly number[] = Array.from(
  { length: blockOf(lastIndex) - blockOf(firstIndex - 1) + 1 },
  (_, at) => blockOf(firstIndex - 1) + at,
);

/** The lowest level at which this many blocks have at most `maxLogBuckets` buckets. */
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
