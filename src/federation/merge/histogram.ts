import { histogramTooFine, maxHistogramBuckets } from '../../engines/semantics/histogram-size.ts';
import { TributaryError } from '../../errors.ts';
import type { Field } from '../../introspection/fields/field.ts';

export interface CountedKey {
  readonly key: string;
  readonly count: number;
}

/**
 * Histograms of one interval as one: buckets are matched by their number, not by their text, and the empty ones
 * between the first and the last are filled here, once.
 * @param interval the one interval that all nodes were asked for, above 0
 * @param field the network's
 * @throws TributaryError BAD_USER_INPUT naming the smallest interval that fits
 */
export const mergeHistograms = (
  parts: readonly (readonly CountedKey[])[],
  interval: number,
  field: Pick<Field, 'path' | 'type'>,
): readonly CountedKey[] => {
  const counts = new Map<number, number>();
  for (const { key, count } of parts.flat()) {
    const position = Math.round(Number(key) / interval);
    if (!Number.isFinite(position))
      throw new TributaryError('NODE_BAD_RESPONSE', 'a histogram key is not a number');
    counts.set(position, (counts.get(position) ?? 0) + count);
  }
  if (counts.size === 0) return [];
  const [first, last] = extent(counts.keys());
  if (last - first >= maxHistogramBuckets)
    throw histogramTooFine(field.path, field.type, (last - first + 1) * interval);
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
