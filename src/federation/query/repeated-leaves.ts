import type { NodeView } from '../nodes/node-view.ts';
import type { NodePlan } from './plan.ts';

/** A catalogue that is met a second time in a network, and so left out there. */
export interface RepeatedLeaf {
  /** The node of this network that it is met in the second time. */
  readonly nodeId: string;
  /** Its id there; null for a catalogue that is a node of this network itself. */
  readonly within: string | null;
  /** Where it is met first: a path of node ids. */
  readonly first: string;
}

/**
 * The catalogues that several nodes of a network lead to, each but where it is met first, in the order of the file.
 * Catalogues without a known key are assumed to be different.
 * @param failed the paths of those that did not answer where they were queried: they may be queried elsewhere
 */
export const repeatedLeaves = (
  nodes: readonly NodeView[],
  failed: ReadonlySet<string> = new Set(),
): readonly RepeatedLeaf[] => {
  const met = new Map<string, string>();
  const repeated: RepeatedLeaf[] = [];
  const meet = (key: string, nodeId: string, within: string | null): void => {
    const first = met.get(key);
    const path = within === null ? nodeId : `${nodeId}/${within}`;
    if (failed.has(nodeId) || failed.has(path)) return;
    if (first === undefined) met.set(key, path);
    else repeated.push({ nodeId, within, first });
  };
  for (const { config, status } of nodes) {
    if (status.kind !== 'up') continue;
    const leaves = status.leaves?.();
    if (leaves) for (const [within, key] of leaves) meet(key, config.nodeId, within);
    else if (status.key) meet(status.key, config.nodeId, null);
  }
  return repeated;
};

/** Why such a catalogue is left out, to be shown. */
const repeatedReason = ({ first }: RepeatedLeaf): string => `left out: it is already asked as "${first}"`;

/** The same for the start and for `check`. */
export const repeatedWarning = ({ nodeId, within, first }: RepeatedLeaf): string =>
  `"${within === null ? nodeId : `${nodeId}/${within}`}" is the same catalogue as "${first}": it is left out of answers`;

/** Plans in which no catalogue is queried twice. */
export const withoutRepeated = (
  plans: readonly NodePlan[],
  repeated: readonly RepeatedLeaf[],
): readonly NodePlan[] => {
  if (repeated.length === 0) return plans;
  const byNode = Map.groupBy(repeated, ({ nodeId }) => nodeId);
  return plans.map((plan): NodePlan => {
    const own = byNode.get(plan.node.config.nodeId);
    if (own === undefined || plan.kind !== 'query') return plan;
    const left = new Map(own.map((one) => [one.within, repeatedReason(one)]));
    const reason = left.get(null);
    if (reason !== undefined)
      return { ...plan, kind: 'excluded', facets: plan.facets.map(() => null), reason };
    const asked = plan.query.nodes?.only ?? [...(plan.status.leaves?.()?.keys() ?? [])];
    const only = asked.filter((within) => !left.has(within));
    const nodes = { ...plan.query.nodes, only: only.length === 0 ? [''] : only, required: [] };
    const query = { ...plan.query, nodes };
    return { ...plan, query, leftOut: left };
  });
};
