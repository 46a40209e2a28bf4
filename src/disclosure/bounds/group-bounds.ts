import type { Interval } from '../table/interval.ts';
import { sumOf } from '../table/interval.ts';

/** What the parts' own bounds say of their conjunction or disjunction (Fréchet). */
export const groupBounds = (op: 'and' | 'or', parts: readonly Interval[], whole: Interval): Interval => {
  const sum = sumOf(parts);
  if (op === 'or')
    return {
      lower: Math.max(...parts.map(({ lower }) => lower)),
      upper: Math.min(whole.upper, sum.upper),
    };
  return {
    lower: Math.max(0, sum.lower - (parts.length - 1) * whole.upper),
    upper: Math.min(whole.upper, ...parts.map(({ upper }) => upper)),
  };
};
