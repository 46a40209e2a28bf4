import { LRUCache } from 'lru-cache';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NodeView } from '../nodes/node-view.ts';
import type { NodePlan } from './plan.ts';
import { plan } from './plan.ts';
import type { NetworkQuery } from './network-query.ts';

/** Turns a network query into a query for each node in its current state. */
export type Planner = (question: NetworkQuery, nodes: readonly NodeView[]) => readonly NodePlan[];

/** Limits in characters for all keys together and for one: a query with ten thousand ids does not recur. */
const maxCharacters = 2_000_000;
const maxKeyLength = 20_000;

/**
 * Plans for one set of fields, caching those of the most recent queries: portals repeat the same few. A plan always has
 * the current state of its node; only what follows from names and values is cached.
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

/** null for a query with a cursor, which never recurs. The set of nodes that are up is part of the key. */
const keyOf = ({ only, ...question }: NetworkQuery, nodes: readonly NodeView[]): string | null => {
  if (question.hits?.after) return null;
  const up = nodes.map(({ status }) => (status.kind === 'up' ? (status.withheld ? '2' : '1') : '0')).join('');
  return JSON.stringify([up, only && [...only], question]);
};

/** A cached plan with the node's current state. */
const withCurrentNode = (kept: NodePlan, node: NodeView): NodePlan => {
  const { status } = node;
  if (kept.kind === 'ask') return status.kind === 'up' ? { ...kept, node, status } : kept;
  // one that is up may have been refused for the query's sake
  if (kept.kind === 'down') return status.kind === 'down' ? { ...kept, node, status } : { ...kept, node };
  return { ...kept, node };
};
