/** A random generator that gives the same values for the same seed on every machine. */
export interface Random {
  /** 0 <= x < 1. */
  next(): number;
  chance(probability: number): boolean;
  /** Both ends included. */
  integer(low: number, high: number): number;
  pick<T>(values: readonly T[]): T;
  /** One key of a table of weights. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T;
  /** Distinct values, at most `count`, in list order. */
  some<T>(values: readonly T[], count: number): T[];
  /** Normally distributed. */
  normal(mean: number, deviation: number): number;
}

/**
 * A generator seeded with a string. Mulberry32 over an FNV-1a hash of the seed: good enough for samples, not for
 * secrets.
 */
export const seededRandom = (seed: string): Random => {
  let state = fnv1a(seed);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: (values) => values[integer(0, values.length - 1)]!,
    weighted: (weights) => weightedKey(weights, next()),
    some: (values, count) => {
      const left = new Set(values.keys());
      const wanted = Math.min(count, values.length);
      while (values.length - left.size < wanted) left.delete(integer(0, values.length - 1));
      return values.filter((_value, position) => !left.has(position));
    },
    // The sum of twelve uniform values has variance 1.
    normal: (mean, deviation) =>
      mean + deviation * (Array.from({ length: 12 }, next).reduce((a, b) => a + b) - 6),
  };
};

const weightedKey = <T extends string>(weights: Readonly<Record<T, number>>, at: number): T => {
  const entries = Object.entries(weights) as [T, number][];
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
  let left = at * total;
  for (const [key, weight] of entries) {
    left -= weight;
    if (left < 0) return key;
  }
  return entries.at(-1)![0];
};

const fnv1a = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
};
