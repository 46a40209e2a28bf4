import type { Semaphore } from '../../lib/concurrency/locks.ts';
import {
  asTributaryError,
  TributaryError,
  badUserInput,
  errorCodes,
  type ErrorCode,
} from '../../lib/errors/errors.ts';
import type { Interval } from '../../search/facets/row/measure-row.ts';
import { answerStateOf } from '../nodes/node-monitor.ts';
import type { NodeView } from '../nodes/node-view.ts';
import { withheldPlan, withoutFailed, type NodePlan, type QueryPlan } from './plan.ts';
import { missingFrom } from '../remote/network-node.ts';
import { limited } from '../../introspection/limit.ts';
import { secondsToWait } from '../../lib/net/retry.ts';
import type { NodeState } from '../../search/node-states.ts';
import type { WaitFor } from '../../search/nodes-answer.ts';
import type { CatalogueResult } from '../../search/query.ts';
import { withDeadline, type RequestContext } from '../../search/request-context.ts';

/** How long to wait for nodes: until `ms` have passed and `share` of them has answered, or all have ended. */
export interface Waiting extends WaitFor {
  /** Nodes that are always waited for. */
  readonly required: ReadonlySet<string>;
}

export interface FanoutSettings {
  /** Unset: all are waited for. */
  readonly waiting?: Waiting | undefined;
  /** Nodes that the query requires, which have their full timeouts. */
  readonly required?: readonly string[];
  /** Unset: remote nodes are queried without queueing. */
  readonly slots?: Semaphore | undefined;
}

/**
 * Runs all plans concurrently, each with its node's deadline. A failing node loses only its own part, and once the
 * queries have their slots the answer takes no longer than the largest deadline, nor than the caller's own. Nodes of this
 * process are queried at once, remote nodes as soon as there are slots for all of them.
 * @throws TributaryError NOT_READY when the queue timed out and no node of this process answered
 */
export const fanout = async (
  plans: readonly NodePlan[],
  context: RequestContext,
  { waiting, required = [], slots }: FanoutSettings = {},
): Promise<readonly NodeResult[]> => {
  const startedMs = performance.now();
  const abandoned = new AbortController();
  const signal = context.signal ? AbortSignal.any([context.signal, abandoned.signal]) : abandoned.signal;
  const limited = context.withSignal(signal);
  const results = plans.map((plan) => (plan.kind === 'query' ? null : notQueried(plan)));
  const queries = plans.flatMap((plan, at) => (plan.kind === 'query' ? [{ plan, at }] : []));
  const awaited = waiting && awaitedShare(plans, waiting);
  const settle = (at: number, result: NodeResult): void => {
    results[at] = result;
    awaited?.count(result);
  };
  /** Their timeouts begin now. */
  const start = (some: readonly Query[], release?: () => void): Promise<unknown> =>
    Promise.all(
      some.map(({ plan, at }) =>
        queryNode(plan, limited, required).then((result) => {
          release?.();
          settle(at, result);
        }),
      ),
    );
  const isQueued = ({ plan }: Query): boolean =>
    slots !== undefined && plan.node.config.source.kind === 'remote';
  const queued = queries.filter(isQueued);
  let queueError: unknown = null;
  const startQueued = (): Promise<unknown> =>
    acquireSlots(slots!, queued.length, longestWaitMs(queued, context), signal).then(
      (release) => start(queued, release),
      (error: unknown) => {
        queueError = error;
        for (const { plan, at } of queued) settle(at, failedResult(plan, error, since(startedMs)));
      },
    );
  const ended = Promise.all([
    ...(queued.length > 0 ? [startQueued()] : []),
    start(queries.filter((query) => !isQueued(query))),
  ]);
  await (awaited ? Promise.race([ended, awaited.enough]) : ended);
  awaited?.end();
  const answers = results.map((result, at) => result ?? pendingResult(plans[at]!, since(startedMs)));
  if (queueError !== null && answers.every(({ state }) => state !== 'ok')) throw queueError;
  // aborting costs an exception with its stack per node: the response goes first
  if (results.includes(null)) setImmediate(() => abandoned.abort());
  return answers;
};

/** Counts the nodes that have ended, until there are enough. */
const awaitedShare = (plans: readonly NodePlan[], { share, ms, required }: Waiting) => {
  const isAwaited = ({ node: { config } }: NodePlan): boolean =>
    config.required || required.has(config.nodeId);
  const queried = plans.filter(({ kind }) => kind === 'query');
  let requiredLeft = queried.filter(isAwaited).length;
  let answered = 0;
  let isOver = false;
  const { promise: enough, resolve } = Promise.withResolvers<undefined>();
  const check = (): void => {
    if (isOver && requiredLeft === 0 && answered >= share * queried.length) resolve(undefined);
  };
  const timer = setTimeout(() => ((isOver = true), check()), ms);
  return {
    enough,
    count: ({ plan, state }: NodeResult): void => {
      if (isAwaited(plan)) requiredLeft -= 1;
      if (state === 'ok') answered += 1;
      check();
    },
    end: () => clearTimeout(timer),
  };
};

/** A plan to be run, and its index among all plans. */
interface Query {
  readonly plan: QueryPlan;
  readonly at: number;
}

/** Queries wait in the queue for at most the largest timeout of their nodes, and half of the caller's time. */
const longestWaitMs = (queued: readonly Query[], context: RequestContext): number =>
  Math.min(Math.max(...queued.map(({ plan }) => plan.node.config.timeoutMs)), leftMs(context) / 2);

/** The time that the caller has left. */
const leftMs = ({ dueAtMs }: RequestContext): number =>
  dueAtMs === undefined ? Infinity : Math.max(1, Math.round(dueAtMs - performance.now()));

/** Queries one node within its deadline; if it withholds its records from the caller, once more for counts. */
const queryNode = async (
  plan: QueryPlan,
  context: RequestContext,
  required: readonly string[],
): Promise<NodeResult> => {
  const startedMs = performance.now();
  const { config } = plan.node;
  const nodeMs = required.includes(config.nodeId)
    ? config.timeoutMs
    : (plan.status.timeoutMs?.() ?? config.timeoutMs);
  const timeoutMs = limited(leftMs(context), nodeMs);
  try {
    return await withDeadline(
      timeoutMs,
      context,
      async (limited) => {
        const { current, answer } = await answerOf(plan, limited);
        const reason = missingFrom(answer) ?? '';
        return { plan: current, answer, state: 'ok', code: null, reason, tookMs: since(startedMs) };
      },
      timeoutMs < nodeMs / 2,
    );
  } catch (error) {
    return failedResult(plan, error, since(startedMs));
  }
};

const since = (startedMs: number): number => Math.round(performance.now() - startedMs);

const answerOf = async (
  plan: QueryPlan,
  context: RequestContext,
): Promise<{ readonly current: QueryPlan; readonly answer: CatalogueResult }> => {
  try {
    return withoutFailed(plan, await plan.status.search(plan.query, context));
  } catch (error) {
    const counts = countsPlan(plan, error);
    if (counts === null) throw error;
    return answerOf(counts, context);
  }
};

/** The rest of a plan after a node refused it because it withholds its records; null: nothing is left. */
const countsPlan = (plan: QueryPlan, error: unknown): QueryPlan | null => {
  const { code, details } = asTributaryError(error);
  // a client that is shown no bounds is refused whatever is left
  const isLess = code === 'NOT_DISCLOSED' && details?.['select'] === undefined;
  return isLess ? withheldPlan(plan) : null;
};

/**
 * The maximum number of requests to remote nodes in flight, over all queries of a network: each takes a connection, thus
 * an open file, and about half a millisecond of this process.
 */
export const maxRequestsInFlight = 2_048;

/**
 * Waits for the requests of a query, which start together, so that its nodes have their full timeouts.
 * @returns a function that ends one of them
 * @throws TributaryError NOT_READY when the wait is over, NODE_TIMEOUT when the signal is aborted
 */
const acquireSlots = async (
  slots: Semaphore,
  requests: number,
  waitMs: number,
  signal: AbortSignal,
): Promise<() => void> => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), waitMs);
  try {
    return await slots.acquire(AbortSignal.any([signal, late.signal]), requests);
  } catch (error) {
    throw signal.aborted ? error : tooManyQueries(waitMs);
  } finally {
    clearTimeout(timer);
  }
};

const tooManyQueries = (waitMs: number): TributaryError => {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  return new TributaryError('NOT_READY', `too many queries in progress, retry in ${retryAfterSeconds} s`, {
    details: { retryAfterSeconds },
  });
};

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
const pendingResult = (plan: NodePlan, tookMs: number): NodeResult => ({
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
