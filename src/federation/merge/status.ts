import { badUserInput, errorCodes, TributaryError, type ErrorCode } from '../../lib/errors/errors.ts';
import { startAgain } from '../../engines/semantics/cursor.ts';
import { sumOfCounts, type Count } from '../../search/count.ts';
import type { NodeStatus, Reach } from '../../search/nodes-answer.ts';
import type { NodeResult } from '../query/fanout.ts';
import { utf8Order } from '../../lib/text/text-comparison.ts';

/** The outcome of each node. */
export const nodeStatuses = (answers: readonly NodeResult[]): readonly NodeStatus[] =>
  answers.map((result): NodeStatus => {
    const { nodeId, displayName } = result.plan.node.config;
    const excluded = result.state === 'excluded';
    const { status } = result.plan.node;
    return {
      nodeId,
      name: displayName,
      hits: excluded ? null : matchesAt(result),
      ...(result.answer?.withheld && { withheld: result.answer.withheld }),
      ...(result.answer?.origin?.lastUpdated && { lastUpdated: result.answer.origin.lastUpdated }),
      status: excluded ? null : result.state === 'ok' ? 'OK' : 'ERROR',
      errors: result.reason,
      state: result.state,
      code: result.code,
      took: result.tookMs,
      uncoveredFields: result.plan.uncoveredFields,
      institutions: (status.kind === 'up' && status.institutions) || [],
      reach: reachOf(result),
    };
  });

/** The order of nodes throughout a response: by name, then id. */
export const byName = (answers: readonly NodeResult[]): readonly NodeResult[] =>
  answers.toSorted((left, right) => {
    const [a, b] = [left.plan.node.config, right.plan.node.config];
    return utf8Order(a.displayName, b.displayName) || utf8Order(a.nodeId, b.nodeId);
  });

/** Number of matching records at a node; null when it answered without counting. */
export const matchesAt = ({ answer, state, plan }: NodeResult): Count | null => {
  if (answer) return answer.total;
  return state === 'ok' && plan.kind === 'empty' ? 0 : state === 'ok' ? null : 0;
};

/** True when any institution that the query concerns did not answer it. */
export const isPartial = (answers: readonly NodeResult[]): boolean =>
  answers.map(reachOf).some(({ queried, answered }) => answered < queried);

/** An excluded node concerns no institution, and one that is not discovered at least one. */
const reachOf = ({ plan: { node }, state, answer }: NodeResult): Reach => {
  if (state === 'excluded') return { queried: 0, answered: 0 };
  if (answer?.reach) return answer.reach;
  const known = node.status.kind === 'up' ? (node.status.institutions?.length ?? 0) : 0;
  const queried = Math.max(1, known);
  return { queried, answered: state === 'ok' ? queried : 0 };
};

/** The sum over the nodes that answered; null when none did or any did not count. */
export const totalOf = (answers: readonly NodeResult[]): Count | null => {
  const counted = answers.filter(({ state }) => state === 'ok').map(matchesAt);
  const known = counted.filter((count) => count !== null);
  return known.length === 0 || known.length < counted.length ? null : sumOfCounts(known);
};

/**
 * Fails the query when a required node did not answer.
 * @param required nodes required by the query, in addition to those that the configuration requires
 * @throws TributaryError with that node's code
 */
export const assertRequired = (answers: readonly NodeResult[], required: readonly string[] = []): void => {
  for (const { plan, state, code, reason, retryAfterSeconds } of answers) {
    const mustAnswer = plan.node.config.required || required.includes(plan.node.config.nodeId);
    if (!mustAnswer || state === 'ok' || state === 'excluded' || code === null) continue;
    throw new TributaryError(
      shownCode(code),
      `node "${plan.node.config.nodeId}" is required and failed: ${reason}`,
      {
        ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
      },
    );
  }
};

/** The error code shown to callers for another server's failure. */
const shownCode = (code: ErrorCode | null): ErrorCode =>
  code !== null && errorCodes[code].safe ? code : 'NODE_BAD_RESPONSE';

/**
 * Fails a query that is too expensive at every node that could be queried; if some answer, the others are reported as
 * missing parts of the answer.
 * @throws TributaryError BAD_USER_INPUT naming the node that comes closest to its limit
 */
export const assertAffordable = (answers: readonly NodeResult[]): void => {
  const reached = answers.filter(isReached);
  const refusals = reached.flatMap(({ plan, reason, tooExpensive: tooDear }) =>
    tooDear ? { plan, reason, tooDear } : [],
  );
  if (refusals.length === 0 || refusals.length < reached.length) return;
  const [nearest] = refusals.toSorted((left, right) => share(left.tooDear) - share(right.tooDear));
  throw badUserInput(
    `the query costs too much at every node that can be queried: at "${nearest!.plan.node.config.nodeId}" ${nearest!.reason}`,
    { details: nearest!.tooDear },
  );
};

/**
 * Fails a page that some node cannot continue: without its rows, those of later pages would be out of order.
 * @throws TributaryError BAD_USER_INPUT as a catalogue throws it
 */
export const assertResumable = (answers: readonly NodeResult[]): void => {
  const outdated = answers.find((answer) => answer.startAgain);
  if (outdated)
    throw startAgain(
      `was made for an index that node "${outdated.plan.node.config.nodeId}" does not have any more`,
    );
};

/**
 * Fails a query that no node accepts now but some node accepts later; if some answer, the others are reported as
 * missing parts of the answer.
 * @throws TributaryError NOT_READY with the longest requested wait, a second if none was requested
 */
export const assertTakenNow = (answers: readonly NodeResult[]): void => {
  const reached = answers.filter(isReached);
  const waits = reached.filter(({ state }) => state === 'busy');
  if (waits.length === 0 || reached.some(({ state, tooExpensive: tooDear }) => state !== 'busy' && !tooDear))
    return;
  const retryAfterSeconds = Math.max(...waits.map((wait) => wait.retryAfterSeconds ?? 1));
  throw new TributaryError(
    'NOT_READY',
    `every node that can be queried is busy: retry in ${retryAfterSeconds} s`,
    { details: { retryAfterSeconds } },
  );
};

/** Whether a node took note of a query, whatever it made of it. */
const isReached = ({ plan, state }: NodeResult): boolean =>
  plan.kind === 'query' && (state === 'ok' || state === 'refused' || state === 'busy');

const share = ({ cost, maxCost }: { cost: number; maxCost: number }): number => cost / maxCost;
