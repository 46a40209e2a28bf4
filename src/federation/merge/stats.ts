import type { StatsResult } from '../../engines/engine.ts';

/**
 * Statistics of several nodes as one: counts and sums add up (those of nothing to 0), and the average is made of them,
 * never of averages.
 */
export const mergeStats = (parts: readonly StatsResult[]): StatsResult => {
  const filled = parts.filter(({ count }) => count > 0);
  if (filled.length === 0) return { kind: 'stats', count: 0, min: null, max: null, sum: 0, avg: null };
  const count = filled.reduce((total, part) => total + part.count, 0);
  const sum = filled.reduce((total, part) => total + (part.sum ?? 0), 0);
  return {
    kind: 'stats',
    count,
    min: Math.min(...filled.map(({ min }) => min ?? Infinity)),
    max: Math.max(...filled.map(({ max }) => max ?? -Infinity)),
    sum,
    avg: sum / count,
  };
};
