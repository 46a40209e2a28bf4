import { bucketList, documentType, seeded } from './answers.ts';

/** The fields of each of very many nodes. */
export const manyFields: Readonly<Record<string, string>> = {
  id: 'keyword',
  ...Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`facet${at}`, 'keyword'])),
};

/** How a node answers questions: after so long, or not at all; every node is well when it is discovered. */
export interface Temper {
  readonly delayMs: number;
  readonly fault: 'down' | 'hanging' | null;
}

/**
 * So many nodes whose answers take a lognormal time, half of them within 50 ms and 99 of 100 within 1 s; 1 % are down
 * and 0.5 % hang. Always the same for a number, in an order that has the slow ones anywhere.
 */
export const tempers = (count: number): readonly Temper[] => {
  const random = seeded(7);
  const places = Array.from({ length: count }, (_, at) => ({ at, order: random() }));
  const down = Math.round(0.01 * count);
  const hanging = Math.round(0.005 * count);
  return places
    .sort((one, other) => one.order - other.order)
    .map(({ at: rank }, index) => ({
      delayMs: 50 * Math.exp(Math.log(20) * (normalQuantile((rank + 0.5) / count) / normalQuantile(0.99))),
      fault: index < down ? 'down' : index < down + hanging ? 'hanging' : null,
    }));
};

/** By bisection of the logistic approximation of Bowling et al. (2009), which is within 0.0002 of the normal one. */
const normalQuantile = (share: number): number => {
  let [low, high] = [-5, 5];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (1 / (1 + Math.exp(-0.07056 * middle ** 3 - 1.5976 * middle)) < share) low = middle;
    else high = middle;
  }
  return low;
};

/**
 * What such a node answers to a question of its five facets: 20 buckets each, of 30 keys.
 * @param isLabelled whether the buckets also have `key_as_string`
 */
export const manyBody = (seed: number, isLabelled: boolean): string => {
  const random = seeded(seed);
  const facet = () => ({
    bucket_count: 20,
    buckets: bucketList(random, 20, 30).map(({ key, count }) => ({
      key,
      ...(isLabelled && { key_as_string: null }),
      doc_count: count,
    })),
  });
  const aggregations = Object.fromEntries(
    Object.keys(manyFields)
      .filter((name) => name !== 'id')
      .map((name) => [name, facet()]),
  );
  return JSON.stringify({ data: { [documentType]: { hits: { total: 1_000 }, aggregations } } });
};
