import type { Interval } from '../table/interval.ts';
import { intervalOf, type Block } from '../table/released-table.ts';
import { sumOf } from '../table/interval.ts';

/**
 * The union of overlapping groups. With the pairs: at least the sum less all overlaps, over any selection of values
 * (chosen greedily); at most the sum less the overlaps along a spanning tree (Hunter 1976), the heaviest one.
 */
export const unionBounds = (
  values: readonly number[],
  all: readonly Interval[],
  pairs: Block | undefined,
  threshold: number,
): Interval => {
  const groups = values.map((value) => all[value]!);
  const lower = Math.max(0, ...groups.map((group) => group.lower));
  const upper = sumOf(groups).upper;
  if (pairs === undefined || values.length < 2) return { lower, upper };
  const [size] = pairs.sizes as [number];
  const overlap = (left: number, right: number): Interval =>
    intervalOf(pairs.levels[left * size + right]!, threshold);
  return {
    lower: Math.max(lower, greedyLower(values, all, overlap)),
    upper: Math.max(0, upper - spanningTree(values, (left, right) => overlap(left, right).lower)),
  };
};

type Overlap = (left: number, right: number) => Interval;

const greedyLower = (values: readonly number[], all: readonly Interval[], overlap: Overlap): number => {
  const chosen: number[] = [];
  let sum = 0;
  for (const value of values.toSorted((left, right) => all[right]!.lower - all[left]!.lower)) {
    const shared = chosen.reduce((total, other) => total + overlap(value, other).upper, 0);
    if (all[value]!.lower <= shared) continue;
    sum += all[value]!.lower - shared;
    chosen.push(value);
  }
  return sum;
};

/** The weight of a heaviest spanning tree (Prim). */
const spanningTree = (nodes: readonly number[], weight: (left: number, right: number) => number): number => {
  const [first, ...rest] = nodes as [number, ...number[]];
  const best = new Map(rest.map((node) => [node, weight(first, node)]));
  let sum = 0;
  while (best.size > 0) {
    const [node, heaviest] = [...best].reduce((found, entry) => (entry[1] > found[1] ? entry : found));
    sum += heaviest;
    best.delete(node);
    for (const [other, known] of best) best.set(other, Math.max(known, weight(node, other)));
  }
  return sum;
};
