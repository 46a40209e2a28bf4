import { LRUCache } from 'lru-cache';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NodeView } from '../nodes/node-view.ts';
import type { NodePlan } from './plan.ts';
import { plan } from './plan.ts';
import type { NetworkQuery } from './network-query.ts';

/** A question as a query for each node as it is now. */
export type Planner = (question: NetworkQuery, nodes: readonly NodeView[]) => readonly NodePlan[];

/** Characters of all keys together, and of one: a list of ten thousand ids is asked once. */
const maxCharacters = 2_000_000;
const maxKeyLength = 20_000;

/**
 * Plans of one set of fields, those of the questions asked most recently kept: portals ask the same few again and
 * again. What a plan says of a node's state is of now; only what follows from names and values is kept.
 */
export const planCache = (network: NetworkFields): Planner => {
  const kept = new LRUCache<string, readonly NodePlan[]>({
    maxSize: maxCharacters,
    maxEntrySize: maxKeyLength,
    sizeCalculation: (_plans, key) => key.length,
  });
  return (question, nodes) => {
    const key = keyOf(question, nodes);
    if (key === null) return plan(question, network, nodes);
    const known = kept.get(key);
    if (known) return known.map((one, index) => withCurrentNode(one, nodes[index]!));
    const plans = plan(question, network, nodes);
    kept.set(key, plans);
    return plans;
  };
};

/** null for a cursor, which is never the same twice. Which nodes are up is part of the question. */
const keyOf = ({ only, ...question }: NetworkQuery, nodes: readonly NodeView[]): string | null => {
  if (question.hits?.after) return null;
  const up = nodes.map(({ status }) => (status.kind === 'up' ? '1' : '0')).join('');
  return JSON.stringify([up, only && [...only], question]);
};

/** A kept plan for the node as it is now. */
const withCurrentNode = (kept: NodePlan, node: NodeView): NodePlan => {
  const { status } = node;
  if (kept.kind === 'ask') return status.kind === 'up' ? { ...kept, node, status } : kept;
  if (kept.kind === 'down') return status.kind === 'down' ? { ...kept, node, status } : kept;
  return { ...kept, node };
};
