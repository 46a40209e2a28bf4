import { LRUCache } from 'lru-cache';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NodeView } from '../nodes/node-view.ts';
import type { NodePlan } from './plan.ts';
import { plan } from './plan.ts';
import type { PlannedFacets } from './plan-facets.ts';
import type { NetworkQuery } from './network-query.ts';

/** Turns a network query into a query for each node in its current state. */
export type Planner = (question: NetworkQuery, nodes: readonly NodeView[]) => readonly NodePlan[];

/** Limit on kept facets, counted once for each node. */
const maxKept = 10_000;

/**
 * Plans for one set of fields. What nodes are asked of facets is kept for the most recent lists of them: the same
 * document has the same list, and whether a node is up, and what is filtered, changes nothing of it.
 */
export const planCache = (network: NetworkFields): Planner => {
  const kept = new LRUCache<NetworkQuery['facets'], Map<string, PlannedFacets>>({ maxSize: maxKept });
  return (question, nodes) => {
    const { facets } = question;
    if (facets.length === 0) return plan(question, network, nodes);
    const known = kept.get(facets) ?? new Map<string, PlannedFacets>();
    kept.set(facets, known, { size: nodes.length });
    return plan(question, network, nodes, (nodeId, make) => {
      const planned = known.get(nodeId) ?? make();
      known.set(nodeId, planned);
      return planned;
    });
  };
};
