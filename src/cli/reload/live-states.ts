import type { FieldReport } from '../../federation/nodes/network-fields.ts';
import type { TrackedState } from '../../search/node-states.ts';
import { runningServers } from './reload.ts';

/** A node as a running server sees it. */
export interface LiveNode {
  readonly nodeId: string;
  readonly state: TrackedState;
  readonly institutions?: number;
}

/** The network of a running server. */
export interface LiveNetwork {
  /** By id; empty if no server runs, or none answers without a token. */
  readonly nodes: ReadonlyMap<string, LiveNode>;
  readonly fields: readonly FieldReport[];
}

/** The network of the server that runs over a data folder. */
export const liveNetwork = async (dataPath: string): Promise<LiveNetwork> => {
  for (const { url } of runningServers(dataPath)) {
    try {
      const headers = { accept: 'application/json' };
      const answer = await fetch(`${url}/network`, { headers, signal: AbortSignal.timeout(2_000) });
      const { nodes = [], fields = [] } = (await answer.json()) as {
        nodes?: readonly LiveNode[];
        fields?: readonly FieldReport[];
      };
      if (nodes.length > 0) return { nodes: new Map(nodes.map((node) => [node.nodeId, node])), fields };
    } catch {
      // the server is starting or stopping
    }
  }
  return { nodes: new Map(), fields: [] };
};
