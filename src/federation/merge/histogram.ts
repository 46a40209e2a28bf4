import { TributaryError } from '../../errors.ts';

export interface CountedKey {
  readonly key: string;
  readonly count: number;
}

/** More buckets than this are no picture, and cost memory at every node. */
export const maxHistogramBuckets = 65_536;

/**
 * Histograms of one interval as one: buckets are matched by their number, not by their text, and the empty ones
 * between the first and the last are filled here, once.
 * @param interval the one interval that all nodes were asked for, above 0
 * @throws TributaryError BAD_USER_INPUT naming the smallest interval that fits
 */
export const mergeHistograms = (
  parts: readonly (readonly CountedKey[])[],
  interval: number,
): readonly CountedKey[] => {
  const counts = new Map<number, number>();
  for (const { key, count } of parts.flat()) {
    const position = Math.round(Number(key) / interval);
    if (!Number.isFinite(position))
      throw new TributaryError('NODE_BAD_RESPONSE', 'a histogram key is no number');
    counts.set(position, (counts.get(position) ?? 0) + count);
  }
  if (counts.size === 0) return [];
  const [first, last] = extent(counts.keys());
  if (last - first >= maxHistogramBuckets) throw tooMany(last - first, interval);
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    // -0 prints as 0
    key: String((first + index) * interval + 0),
    count: counts.get(first + index) ?? 0,
  }));
};

const extent = (positions: Iterable<number>): readonly [number, number] => {
  let [first, last] = [Infinity, -Infinity];
  for (const position of positions) {
    first = Math.min(first, position);
    last = Math.max(last, position);
  }
  return [first, last];
};

const tooMany = (steps: number, interval: number): TributaryError => {
  // one bucket fewer, for the widest interval's first and last may both be started only
  const smallest = Math.ceil((steps * interval) / (maxHistogramBuckets - 2));
  return new TributaryError(
    'BAD_USER_INPUT',
    `histogram(interval: ${interval}) gives more than ${maxHistogramBuckets} buckets; the smallest interval that fits is ${smallest}`,
  );
};

/**
 * Range buckets of several nodes as one, in the order asked; a key that a node did not answer counts 0 there. Of
 * several ranges with one key, the first is each node's first.
 */
export const mergeRanges = (
  parts: readonly (readonly CountedKey[])[],
  keys: readonly string[],
): readonly CountedKey[] => {
  const counts = new Map<string, number[]>();
  for (const part of parts) {
    const seen = new Map<string, number>();
    for (const { key, count } of part) {
      const place = seen.get(key) ?? 0;
      seen.set(key, place + 1);
      const known = counts.get(key) ?? [];
      known[place] = (known[place] ?? 0) + count;
      counts.set(key, known);
    }
  }
  const shown = new Map<string, number>();
  return keys.map((key) => {
    const place = shown.get(key) ?? 0;
    shown.set(key, place + 1);
    return { key, count: counts.get(key)?.[place] ?? 0 };
  });
};
