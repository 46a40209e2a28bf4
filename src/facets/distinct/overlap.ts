import type { NodeSample } from '../../search/facet-answer.ts';
import type { DistinctSample } from '../../engines/measure.ts';
import { forEachKey } from '../../engines/semantics/sample-levels.ts';
import { KeyUnion } from './key-union.ts';
import { poissonBounds } from './poisson.ts';

/** How many values two nodes share. */
export interface SharedValues {
  readonly a: string;
  readonly b: string;
  readonly both: SharedBounds;
}

/** The lower bound and the estimate are null where too few keys are shared to tell. */
export interface SharedBounds {
  readonly lower: number | null;
  readonly estimate: number | null;
  readonly upper: number;
}

/** Fewer shared keys only tell how many values are shared at most. */
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
