import { asTributaryError, badUserInput, errorCodes, type ErrorCode } from '../../errors/errors.ts';
import type { Interval } from '../../facets/row/measure-row.ts';
import type { NodeState } from '../../search/node-states.ts';
import type { CatalogueResult } from '../../search/query.ts';
import { answerStateOf } from '../nodes/node-monitor.ts';
import { secondsToWait } from '../../net/retry.ts';
import type { NodePlan, QueryPlan } from './plan.ts';
import type { NodeView } from '../nodes/node-view.ts';

/** The outcome of one node's plan. */
export interface NodeResult {
  readonly plan: NodePlan;
  readonly state: NodeState;
  /** null when ok or excluded. */
  readonly code: ErrorCode | null;
  /** The reason, or what its answer lacks, safe to show; "" when nothing. */
  readonly reason: string;
  readonly tookMs: number;
  /** For a histogram with too many buckets there: the smallest interval that fits. */
  readonly smallestInterval?: Interval;
  /** For a query that is too expensive there: its cost, and the limit. */
  readonly tooExpensive?: { readonly cost: number; readonly maxCost: number };
  /** For a cursor that the node no longer accepts. */
  readonly startAgain?: true;
  /** For a node that is too busy or unavailable, or a full queue here: when to come back, if that is known. */
  readonly retryAfterSeconds?: number;
  /** null unless the node was queried and answered. */
  readonly answer: CatalogueResult | null;
}

/**
 * Whether a node withholds its numbers from the caller, or some of them: it says so in its answer, in its refusal, or
 * before it answers or fails.
 */
export const isWithheld = ({ plan: { node }, state, code, answer }: NodeResult): boolean =>
  answer === null
    ? code === 'NOT_DISCLOSED' ||
      (state !== 'excluded' && node.status.kind === 'up' && node.status.withheld !== undefined)
    : answer.withheld !== undefined;

const noAnswer = { code: null, reason: '', tookMs: 0, answer: null };

/** The result of a node that is not queried. */
export const notQueried = (plan: Exclude<NodePlan, QueryPlan>): NodeResult => {
  const known = { ...noAnswer, plan };
  switch (plan.kind) {
    case 'excluded':
      return { ...known, state: 'excluded', reason: '' };
    case 'down': {
      const { code, reason } = plan.status;
      return { ...known, state: answerStateOf(code), code, reason };
    }
    case 'empty':
      return { ...known, state: 'ok' };
  }
};

/** The result of a node whose query is still in flight. */
export const pendingResult = (plan: NodePlan, tookMs: number): NodeResult => ({
  ...noAnswer,
  plan,
  tookMs,
  state: 'pending',
  reason: 'has not answered yet',
});

/** The result of a query that failed; the reason is shown only if its error is safe to show. */
export const failedResult = (plan: QueryPlan, error: unknown, tookMs: number): NodeResult => {
  const { code, message, details } = asTributaryError(error);
  const reason = errorCodes[code].safe ? message : 'internal error';
  const failed = { plan, state: answerStateOf(code), code, reason, tookMs, answer: null };
  const wait = secondsToWait(error);
  // one that is not ready for another reason names no wait
  if (wait !== null)
    return { ...failed, ...(code === 'NOT_READY' && { state: 'busy' }), retryAfterSeconds: wait };
  const { smallestInterval, cost, maxCost, startAgain } = details ?? {};
  if (typeof cost === 'number' && typeof maxCost === 'number')
    return { ...failed, tooExpensive: { cost, maxCost } };
  if (startAgain === true) return { ...failed, startAgain };
  if (typeof smallestInterval !== 'number' && typeof smallestInterval !== 'string') return failed;
  return { ...failed, smallestInterval: smallestInterval as Interval };
};

/** Refuses required nodes that do not exist. @throws TributaryError BAD_USER_INPUT */
export const checkRequired = (required: readonly string[], nodes: readonly NodeView[]): void => {
  const nodeIds = nodes.map(({ config }) => config.nodeId);
  const unknown = required.find((nodeId) => !nodeIds.includes(nodeId));
  if (unknown !== undefined)
    throw badUserInput(`required names "${unknown}", which is not a node of this network`, {
      details: { nodeIds },
    });
};
