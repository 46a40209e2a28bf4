import type { NodeState } from '../api/network-state.ts';

/** One observation of a node. */
export interface Sighting {
  readonly at: number;
  readonly state: string;
  readonly latencyMs: number | null;
}

/** The median of a node's recent answer times, in milliseconds. */
export const latencyOf = ({ latencyMs }: NodeState): number | null => {
  if (typeof latencyMs === 'number') return latencyMs;
  const median = (latencyMs as { readonly p50?: number } | null)?.p50;
  return median ?? null;
};
