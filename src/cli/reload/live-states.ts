import type { TrackedState } from '../../search/node-states.ts';
import { runningServers } from './reload.ts';

/** A node as a running server sees it. */
export interface LiveNode {
  readonly nodeId: string;
  readonly state: TrackedState;
  readonly institutions?: number;
}

/** The nodes of a running server over a data folder, by id; empty if none runs, or answers without a token. */
export const liveStates = async (dataPath: string): Promise<ReadonlyMap<string, LiveNode>> => {
  for (const { url } of runningServers(dataPath)) {
    try {
      const headers = { accept: 'application/json' };
      const answer = await fetch(`${url}/network`, { headers, signal: AbortSignal.timeout(2_000) });
      const { nodes = [] } = (await answer.json()) as { nodes?: LiveNode[] };
      if (nodes.length > 0) return new Map(nodes.map((node) => [node.nodeId, node]));
    } catch {
      // the server is starting or stopping
    }
  }
  return new Map();
};
