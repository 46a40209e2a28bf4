import { isDeepStrictEqual } from 'node:util';
import { nodeStatuses } from '../merge/status.ts';
import type { NodeView } from '../nodes/node-view.ts';
import type { NodeResult } from '../query/node-result.ts';
import type { NodePlan } from '../query/plan.ts';
import { repeatedLeaves, withoutRepeated, type RepeatedLeaf } from '../query/repeated-leaves.ts';

/** Queries nodes, one answer for each plan. */
export type QueryNodes = (plans: readonly NodePlan[]) => Promise<readonly NodeResult[]>;

/** The nodes of a query, and the plan for each of them. */
export interface PlannedNodes {
  readonly plans: readonly NodePlan[];
  readonly nodes: readonly NodeView[];
}

/**
 * The nodes' answers, no catalogue twice. That two nodes lead to the same catalogue, or no longer do, may show only in
 * their answers, and one that did not answer may answer elsewhere: then the nodes concerned are queried again.
 * @param queryAgain queries them again; defaults to `query`
 */
export const leavesOnce = async (
  planned: PlannedNodes,
  query: QueryNodes,
  queryAgain: QueryNodes = query,
): Promise<readonly NodeResult[]> => {
  const known = repeatedLeaves(planned.nodes);
  return corrected(await query(withoutRepeated(planned.plans, known)), known, planned, queryAgain);
};

/** Answers that left out what was known to be repeated before, with what is known since. */
export const corrected = async (
  answers: readonly NodeResult[],
  known: readonly RepeatedLeaf[],
  { plans, nodes }: PlannedNodes,
  queryAgain: QueryNodes,
): Promise<readonly NodeResult[]> => {
  if (known.length === 0 && repeatedLeaves(nodes).length === 0) return answers;
  // who is no longer awaited has not failed
  const failed = nodeStatuses(answers).filter(
    ({ status, state }) => status === 'ERROR' && state !== 'pending',
  );
  const now = repeatedLeaves(nodes, new Set(failed.map(({ nodeId }) => nodeId)));
  const changed = new Set([...difference(now, known), ...difference(known, now)].map(({ nodeId }) => nodeId));
  if (changed.size === 0) return answers;
  const again = withoutRepeated(plans, now).filter(({ node }) => changed.has(node.config.nodeId));
  const latest = new Map((await queryAgain(again)).map((one) => [one.plan.node.config.nodeId, one] as const));
  return answers.map((one) => latest.get(one.plan.node.config.nodeId) ?? one);
};

const difference = (
  some: readonly RepeatedLeaf[],
  others: readonly RepeatedLeaf[],
): readonly RepeatedLeaf[] => some.filter((one) => !others.some((other) => isDeepStrictEqual(one, other)));
