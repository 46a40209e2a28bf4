import type { NodeState } from '../api/network-state.ts';

/** What was seen of a node at each look. */
export interface Sighting {
  readonly at: number;
  readonly state: string;
  readonly latencyMs: number | null;
}

/** The middle of a node's last answer times, in milliseconds. */
export const latencyOf = ({ latencyMs }: NodeState): number | null => {
  if (typeof latencyMs === 'number') return latencyMs;
  const median = (latencyMs as { readonly p50?: number } | null)?.p50;
  return median ?? null;
};
