import type { CardinalityResult } from '../../engines/engine.ts';
import type { ValueMap } from '../nodes/renaming.ts';
import type { MergedTerms } from './buckets.ts';
import { unavailableKey } from './buckets.ts';

/** How many distinct values: between these, or exactly. */
export interface CardinalityBounds {
  readonly lower: number;
  /** null when some node has values of the field that it cannot count. */
  readonly upper: number | null;
  readonly exact: boolean;
}

export interface CardinalityPart {
  readonly result: CardinalityResult;
  /** The node's values against the network's; null when they are the same. */
  readonly values: ValueMap | null;
}

/**
 * Distinct values over nodes. Exact from whole bucket lists; else between the largest node's number, for all others
 * may repeat its values, and the sum, for none may.
 * @param terms the same field's merged buckets, when they were asked too
 * @param isWhole false when some node has values of the field that it cannot count
 */
export const mergeCardinality = (
  parts: readonly CardinalityPart[],
  terms: MergedTerms | null,
  isWhole = true,
): CardinalityBounds => {
  const listed = (terms?.buckets ?? []).filter(({ key }) => key !== unavailableKey).length;
  if (terms?.complete && isWhole) return { lower: listed, upper: listed, exact: true };
  const lower = parts.reduce((largest, part) => Math.max(largest, leastShown(part)), listed);
  if (!isWhole || parts.some(({ result }) => result.open)) return { lower, upper: null, exact: false };
  const upper = parts.reduce((sum, { result }) => sum + result.value, 0);
  return {
    lower,
    upper: Math.max(lower, upper),
    exact: lower === upper && parts.every(({ result }) => result.exact),
  };
};

/** Several values of a node may show as one of the network. */
const leastShown = ({ result: { value }, values }: CardinalityPart): number => {
  if (!values) return value;
  const shown = new Set(values.listed.values());
  const folded = [...shown].reduce((sum, one) => sum + values.toNode(one).length - 1, 0);
  return Math.max(Math.min(value, 1), value - folded);
};
