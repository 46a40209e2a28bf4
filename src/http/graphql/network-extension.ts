import type { NodeState } from '../../search/node-states.ts';
import type { NodesAnswer } from '../../search/nodes-answer.ts';

/** `extensions.network` of a response: that it is partial, and how each node did. */
export interface NetworkExtension {
  readonly partial: true;
  readonly nodes: readonly {
    readonly nodeId: string;
    readonly state: NodeState;
    readonly hits: number | null;
    readonly withheld?: true;
  }[];
}

/**
 * Partial answers, reported to clients that do not select them; null when there are none.
 * @param answers those of all queries of the request; a node is shown as it did worst
 */
export const networkExtension = (answers: readonly NodesAnswer[]): NetworkExtension | null => {
  if (!answers.some(({ partial }) => partial)) return null;
  const nodes = new Map<string, NetworkExtension['nodes'][number]>();
  for (const { nodeId, state, hits, withheld } of answers.flatMap(({ statuses }) => statuses)) {
    const known = nodes.get(nodeId);
    const told = withheld && { withheld: true as const };
    if (known === undefined || (known.state === 'ok' && state !== 'ok')) nodes.set(nodeId, { nodeId, state, hits, ...told });
    else if (known.state === state) nodes.set(nodeId, { nodeId, state, hits: known.hits ?? hits, ...told });
  }
  return { partial: true, nodes: [...nodes.values()] };
}; // prettier-ignore
