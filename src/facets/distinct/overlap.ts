import type { NodeSample } from '../../search/nodes-answer.ts';
import type { DistinctSample } from '../../engines/measure.ts';
import { forEachKey } from '../../engines/semantics/sample-levels.ts';
import { KeyUnion } from './estimate.ts';

/** How many values two nodes share. */
export interface SharedValues {
  readonly a: string;
  readonly b: string;
  readonly both: SharedBounds;
}

/** The lower bound and the estimate are null where too few keys are shared for an estimate. */
export interface SharedBounds {
  readonly lower: number | null;
  readonly estimate: number | null;
  readonly upper: number;
}

/** With fewer shared keys, only an upper bound of the shared values is known. */
const minShared = 10;

/** The values that each pair of nodes with samples of the same hash shares, in the order of the nodes. */
export const sharedValues = (nodes: readonly NodeSample[]): readonly SharedValues[] => {
  const sampled = nodes.flatMap(({ nodeId, sample }) => (sample === null ? [] : [{ nodeId, sample }]));
  const union = new KeyUnion(sampled.reduce((sum, { sample }) => sum + sample.keys, 0));
  const held = sampled.map(({ nodeId, sample }) => {
    const slots: number[] = [];
    forEachKey(sample, sample.parts, (high, low) => void slots.push(union.add(high, low)));
    return { nodeId, sample, slots };
  });
  return held.flatMap(({ nodeId: a, sample, slots }, index) => {
    const own = new Uint8Array(union.slots);
    for (const slot of slots) own[slot] = 1;
    return held.slice(index + 1).flatMap((other): readonly SharedValues[] => {
      if (other.sample.hash !== sample.hash) return [];
      // a key that both have belongs to part 0 of the larger N
      const keys = other.slots.reduce((sum, slot) => sum + own[slot]!, 0);
      return [{ a, b: other.nodeId, both: sharedBounds(keys, sample, other.sample) }];
    });
  });
};

const sharedBounds = (keys: number, one: DistinctSample, other: DistinctSample): SharedBounds => {
  const parts = Math.max(one.parts, other.parts);
  const max = Math.min(maxValues(one), maxValues(other));
  const [lower, upper] = parts === 1 ? [keys, keys] : poissonBounds(keys);
  const within = (value: number): number => Math.min(max, Math.max(keys, value));
  const bounds = { upper: within(Math.ceil(upper * parts)) };
  return keys < minShared
    ? { lower: null, estimate: null, ...bounds }
    : { lower: within(Math.floor(lower * parts)), estimate: within(keys * parts), ...bounds };
};

const maxValues = ({ keys, parts }: DistinctSample): number =>
  parts === 1 ? keys : Math.ceil(poissonBounds(keys)[1] * parts);

/**
 * The exact bounds of a Poisson mean, from one count (Garwood 1936): with 99.73 % certainty, equivalent to three standard
 * deviations.
 */
export const poissonBounds = (count: number): readonly [lower: number, upper: number] => [
  count === 0 ? 0 : solved(0, count, (mean) => atLeast(count, mean) < tail),
  solved(count, count + 20 + 10 * Math.sqrt(count), (mean) => atMost(count, mean) > tail),
];

/** The chance that each bound misses. */
const tail = 0.00135;

/** Where a condition that holds at `low` ends. */
const solved = (low: number, high: number, holds: (mean: number) => boolean): number => {
  let [from, to] = [low, high];
  for (let step = 0; step < 50; step += 1) {
    const middle = (from + to) / 2;
    if (holds(middle)) from = middle;
    else to = middle;
  }
  return to;
};

/** The chance of at most a count, for means not below it. */
const atMost = (count: number, mean: number): number => {
  let term = chanceOf(count, mean);
  let sum = 0;
  for (let at = count; at >= 0 && term > sum * 1e-17; at -= 1) {
    sum += term;
    term *= at / mean;
  }
  return sum;
};

/** The chance of at least a count, for means not above it. */
const atLeast = (count: number, mean: number): number => {
  let term = chanceOf(count, mean);
  let sum = 0;
  for (let at = count + 1; term > sum * 1e-17; at += 1) {
    sum += term;
    term *= mean / at;
  }
  return sum;
};

const chanceOf = (count: number, mean: number): number =>
  mean === 0 ? Number(count === 0) : Math.exp(count * Math.log(mean) - mean - logFactorial(count));

const logFactorial = (count: number): number => {
  if (count < 20) {
    let sum = 0;
    for (let factor = 2; factor <= count; factor += 1) sum += Math.log(factor);
    return sum;
  }
  // Stirling's series: the next term is below 1e-9 from here on
  const n = count;
  return n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n) - 1 / (360 * n ** 3);
};
