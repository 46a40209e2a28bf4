import type { NodeView } from '../nodes/node-view.ts';
import type { NodePlan } from '../query/plan.ts';
import { isDeepStrictEqual } from 'node:util';
import { nodeStatuses } from '../merge/status.ts';
import { isBelow, type NodeResult } from '../query/node-result.ts';

/** A catalogue that is reached a second time in a network, and therefore left out there. */
export interface RepeatedLeaf {
  /** The node of this network through which it is reached the second time. */
  readonly nodeId: string;
  /** Its id in that node; null for a catalogue that is a node of this network itself. */
  readonly innerId: string | null;
  /** Where it is reached first: a path of node ids. */
  readonly first: string;
}

/**
 * The catalogues that several nodes of a network lead to, at each place except the first, in the order of the file.
 * Catalogues without a known key are assumed to be different.
 * @param isMet false for one that is not queried there, or did not answer: it may be queried elsewhere
 */
export const repeatedLeaves = (
  nodes: readonly NodeView[],
  isMet: (nodeId: string, innerId: string | null) => boolean = () => true,
): readonly RepeatedLeaf[] => {
  const met = new Map<string, string>();
  const repeated: RepeatedLeaf[] = [];
  const meet = (key: string | null | undefined, nodeId: string, innerId: string | null): void => {
    if (key === null || key === undefined || !isMet(nodeId, innerId)) return;
    const first = met.get(key);
    const path = pathOf(nodeId, innerId);
    if (first === undefined) met.set(key, path);
    else repeated.push({ nodeId, innerId, first });
  };
  for (const { config, status } of nodes) {
    if (status.kind !== 'up') continue;
    const leaves = status.leaves?.();
    if (leaves) for (const [innerId, key] of leaves) meet(key, config.nodeId, innerId);
    else meet(status.key, config.nodeId, null);
  }
  return repeated;
};

const pathOf = (nodeId: string, innerId: string | null): string =>
  innerId === null ? nodeId : `${nodeId}/${innerId}`;

/** The repeated catalogues among the nodes that a query goes to. @param failed the paths of nodes that did not answer */
const repeatedIn = (
  { plans, nodes }: PlannedNodes,
  failed: ReadonlySet<string> = new Set(),
): readonly RepeatedLeaf[] => {
  const byId = new Map(plans.map((plan) => [plan.node.config.nodeId, plan]));
  return repeatedLeaves(nodes, (nodeId, innerId) => {
    const plan = byId.get(nodeId)!;
    if (plan.kind === 'excluded' || failed.has(nodeId) || failed.has(pathOf(nodeId, innerId))) return false;
    const only = plan.kind === 'query' ? plan.query.nodes?.only : null;
    return only == null || innerId === null || only.some((id) => id === innerId || isBelow(innerId, id));
  });
};

/** Why such a catalogue is left out, for display. */
const repeatedReason = ({ first }: RepeatedLeaf): string => `left out: it is already queried as "${first}"`;

/** The warning for start-up and `check`. */
export const repeatedWarning = ({ nodeId, innerId, first }: RepeatedLeaf): string =>
  `"${innerId === null ? nodeId : `${nodeId}/${innerId}`}" is the same catalogue as "${first}": it is left out of answers`;

/** Plans in which no catalogue is queried twice. */
const withoutRepeated = (
  plans: readonly NodePlan[],
  repeated: readonly RepeatedLeaf[],
): readonly NodePlan[] => {
  if (repeated.length === 0) return plans;
  const byNode = Map.groupBy(repeated, ({ nodeId }) => nodeId);
  return plans.map((plan): NodePlan => {
    const own = byNode.get(plan.node.config.nodeId);
    if (own === undefined || plan.kind !== 'query') return plan;
    const left = new Map(own.map((one) => [one.innerId, repeatedReason(one)]));
    const reason = left.get(null);
    if (reason !== undefined)
      return { ...plan, kind: 'excluded', facets: plan.facets.map(() => null), reason };
    const leaves = [...(plan.status.leaves?.()?.keys() ?? [])];
    // a name may match several nodes
    const queried =
      plan.query.nodes?.only?.flatMap((id) => {
        const within = leaves.filter((one) => isBelow(one, id));
        return within.length > 0 ? within : [id];
      }) ?? leaves;
    const only = queried.filter((innerId) => !left.has(innerId));
    const nodes = { ...plan.query.nodes, only: only.length === 0 ? [''] : only, required: [] };
    const query = { ...plan.query, nodes };
    return { ...plan, query, leftOut: left };
  });
};

/** Queries nodes, one answer for each plan. */
export type QueryNodes = (plans: readonly NodePlan[]) => Promise<readonly NodeResult[]>;

/** The nodes of a query, and the plan for each of them. */
export interface PlannedNodes {
  readonly plans: readonly NodePlan[];
  readonly nodes: readonly NodeView[];
}

/**
 * The nodes' answers, with no catalogue twice. Whether two nodes lead to the same catalogue may show only in their
 * answers, and a catalogue that did not answer at one node may answer at another: the nodes concerned are then queried
 * again.
 * @param queryAgain queries them again; defaults to `query`
 */
export const leavesOnce = async (
  planned: PlannedNodes,
  query: QueryNodes,
  queryAgain: QueryNodes = query,
): Promise<readonly NodeResult[]> => {
  const known = repeatedIn(planned);
  const answers = await query(withoutRepeated(planned.plans, known));
  if (known.length === 0 && repeatedIn(planned).length === 0) return answers;
  // a node that is no longer awaited has not failed
  const failed = nodeStatuses(answers).filter(
    ({ status, state }) => status === 'ERROR' && state !== 'pending',
  );
  const now = repeatedIn(planned, new Set(failed.map(({ nodeId }) => nodeId)));
  const changed = new Set([...difference(now, known), ...difference(known, now)].map(({ nodeId }) => nodeId));
  if (changed.size === 0) return answers;
  const again = withoutRepeated(planned.plans, now).filter(({ node }) => changed.has(node.config.nodeId));
  const latest = new Map((await queryAgain(again)).map((one) => [one.plan.node.config.nodeId, one] as const));
  return answers.map((one) => latest.get(one.plan.node.config.nodeId) ?? one);
};

const difference = (
  some: readonly RepeatedLeaf[],
  others: readonly RepeatedLeaf[],
): readonly RepeatedLeaf[] => some.filter((one) => !others.some((other) => isDeepStrictEqual(one, other)));
