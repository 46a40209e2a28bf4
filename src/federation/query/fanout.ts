import type { ErrorCode } from '../../errors/errors.ts';
import { asTributaryError, errorCodes } from '../../errors/errors.ts';
import type { NodeStatus, WaitFor } from '../../search/nodes-answer.ts';
import type { Interval } from '../../facets/row/measure-row.ts';
import type { CatalogueResult, SearchFn } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { secondsToWait } from '../remote/requested-wait.ts';
import { groupedSearch } from '../sorting/grouped-search.ts';
import type { Deadline } from '../nodes/deadline.ts';
import { openDeadline } from '../nodes/deadline.ts';
import type { NodeState } from '../../search/node-states.ts';
import { answerStateOf } from '../nodes/node-monitor.ts';
import type { AskPlan, NodePlan } from './plan.ts';
import type { NodeTurns } from './node-turns.ts';
import { isNeeded } from './required-nodes.ts';
import { slowestFirst } from './slowest-first.ts';
import { withheldPlan } from './withheld-plan.ts';

/** The outcome of one node's plan. */
export interface NodeResult {
  readonly plan: NodePlan;
  readonly state: NodeState;
  /** null when ok or excluded. */
  readonly code: ErrorCode | null;
  /** The reason, safe to show; "" when ok. */
  readonly reason: string;
  readonly tookMs: number;
  /** For a histogram with too many buckets there: the smallest interval that fits. */
  readonly smallestInterval?: Interval;
  /** The node's field of that histogram, if it names one. */
  readonly tooFineField?: string;
  /** For a query that is too expensive there: its cost, and the limit. */
  readonly tooExpensive?: { readonly cost: number; readonly maxCost: number };
  /** For a node that is too busy or unavailable: how long it asks to wait, if it says so. */
  readonly retryAfterSeconds?: number;
  /** null unless the node was queried and answered. */
  readonly answer: CatalogueResult | null;
  /** Of a network none of whose nodes answered: how each of them did. */
  readonly within?: readonly NodeStatus[];
}

/** How long to wait for nodes: until the time is over and the share of them has answered, or all have ended. */
export interface Waiting extends WaitFor {
  /** Nodes that are waited for in any case. */
  readonly required: ReadonlySet<string>;
}

export interface FanoutSettings {
  /** Unset: all are waited for. */
  readonly waiting?: Waiting | undefined;
  /** Nodes that the query requires, which have all of their time. */
  readonly required?: readonly string[];
  /** Unset: other queries are not waited for. */
  readonly turns?: NodeTurns | undefined;
}

/** Plans that are being run. */
export interface RunningFanout {
  /** What is known now: nodes that have not ended are `pending`. */
  readonly now: () => readonly NodeResult[];
  /** Resolves once all have ended, each within its deadline; never rejects. */
  readonly ended: Promise<void>;
  /** Ends those that have not. */
  readonly abandon: () => void;
  /** Why no node of another process was asked: others were before it all the time; null otherwise. */
  readonly noTurn: () => unknown;
}

/**
 * Runs all plans concurrently, each with its node's deadline. A failing node loses only its own part,
 * and once it has its turn the answer takes no longer than the largest deadline, nor than the caller's own.
 * @throws TributaryError TOO_MANY_REQUESTS when there was no turn, and no node of this process answered
 */
export const fanout = async (
  plans: readonly NodePlan[],
  context: RequestContext,
  settings: FanoutSettings = {},
): Promise<readonly NodeResult[]> => {
  const awaited = settings.waiting && awaitedShare(plans, settings.waiting);
  const running = startFanout(plans, context, (ended) => awaited?.count(ended), settings);
  await (awaited ? Promise.race([running.ended, awaited.enough]) : running.ended);
  awaited?.end();
  const answers = running.now();
  // with nothing to show, the reason of all is the answer
  if (running.noTurn() !== null && answers.every(({ state }) => state !== 'ok')) throw running.noTurn();
  // an abort costs an exception and its stack for each of them: the answer comes first
  if (answers.some(({ state }) => state === 'pending')) setImmediate(running.abandon);
  return answers;
};

/** Counts those that have ended, until they are enough. */
const awaitedShare = (plans: readonly NodePlan[], { share, ms, required }: Waiting) => {
  const isVital = ({ node: { config } }: NodePlan): boolean =>
    config.required || isNeeded(config.nodeId, required);
  const asked = plans.filter(({ kind }) => kind === 'ask');
  let vital = asked.filter(isVital).length;
  let answered = 0;
  let isTime = false;
  const { promise: enough, resolve } = Promise.withResolvers<undefined>();
  const check = (): void => {
    if (isTime && vital === 0 && answered >= share * asked.length) resolve(undefined);
  };
  const timer = setTimeout(() => ((isTime = true), check()), ms);
  return {
    enough,
    count: ({ plan, state }: NodeResult): void => {
      if (isVital(plan)) vital -= 1;
      if (state === 'ok') answered += 1;
      check();
    },
    end: () => clearTimeout(timer),
  };
};

/** @param changed called when a node has ended */
export const startFanout = (
  plans: readonly NodePlan[],
  context: RequestContext,
  changed: (result: NodeResult) => void,
  { turns, required = [] }: Omit<FanoutSettings, 'waiting'> = {},
): RunningFanout => {
  const deadlines: Deadline[] = [];
  const left = new AbortController();
  const signal = context.signal ? AbortSignal.any([context.signal, left.signal]) : left.signal;
  const leftMs = (): number =>
    context.dueAtMs === undefined ? Infinity : Math.max(1, Math.round(context.dueAtMs - performance.now()));
  const openTogether = (): DeadlineOf =>
    openDeadlines(context.withSignal(signal), leftMs, required, (deadline) => void deadlines.push(deadline));
  const startedMs = performance.now();
  const results = plans.map((plan) => (plan.kind === 'ask' ? null : unasked(plan)));
  const order = slowestFirst(plans);
  let underWay = order.length;
  const { promise: ended, resolve: allEnded } = Promise.withResolvers<undefined>();
  const end = (): void => {
    for (const deadline of deadlines) deadline.end();
    allEnded(undefined);
  };
  const settle = (at: number, result: NodeResult): void => {
    results[at] = result;
    underWay -= 1;
    changed(result);
    if (underWay === 0) end();
  };
  const each = (isMeant: (plan: AskPlan) => boolean, begin: (plan: AskPlan, at: number) => void): void =>
    order.forEach((at) => {
      const plan = plans[at]!;
      if (plan.kind === 'ask' && isMeant(plan)) begin(plan, at);
    });
  const turn = turns === undefined ? null : turnOf(plans, turns, leftMs() / 2, signal);
  let noTurn: unknown = null;
  turn?.then(
    (endTurn) => {
      // their time begins with the turn
      const deadlineOf = openTogether();
      each(isAskedAway, (plan, at) =>
        ask(plan, deadlineOf(plan), (result) => {
          endTurn();
          settle(at, result);
        }),
      );
    },
    (error: unknown) => {
      noTurn = error;
      each(isAskedAway, (plan, at) => settle(at, failedResult(plan, error, since(startedMs))));
    },
  );
  const deadlineOf = openTogether();
  each(
    (plan) => turn === null || !isAskedAway(plan),
    (plan, at) => ask(plan, deadlineOf(plan), (result) => settle(at, result)),
  );
  if (underWay === 0) end();
  return {
    now: () => results.map((one, at) => one ?? pending(plans[at]!, since(startedMs))),
    ended,
    // not a failure of the node: its answer is no longer awaited
    abandon: () => left.abort(),
    noTurn: () => noTurn,
  };
};

const nothing = { code: null, reason: '', tookMs: 0, answer: null };

const pending = (plan: NodePlan, tookMs: number): NodeResult => ({
  ...{ ...nothing, plan, tookMs },
  state: 'pending',
  reason: 'has not answered yet',
});

const unasked = (plan: Exclude<NodePlan, AskPlan>): NodeResult => {
  const known = { ...nothing, plan };
  switch (plan.kind) {
    case 'excluded':
      return { ...known, state: 'excluded', reason: plan.reason ?? '' };
    case 'down': {
      const { code, reason } = plan.status;
      return { ...known, state: answerStateOf(code), code, reason };
    }
    case 'empty':
      return { ...known, state: 'ok' };
  }
};

type DeadlineOf = (plan: AskPlan) => Deadline;

/**
 * The deadlines of nodes that are asked together: those with the same timeout share one, since each takes a timer and a
 * signal.
 * @param opened called with each, whose timer runs until it is ended
 */
const openDeadlines = (
  context: RequestContext,
  leftMs: () => number,
  required: readonly string[],
  opened: (deadline: Deadline) => void,
): DeadlineOf => {
  const known = new Map<string, Deadline>();
  return ({ node: { config }, status }) => {
    const hasAll = isNeeded(config.nodeId, required);
    const ofNodeMs = hasAll ? config.timeoutMs : (status.timeoutMs?.() ?? config.timeoutMs);
    const timeoutMs = Math.min(ofNodeMs, leftMs());
    const isOfCaller = timeoutMs < ofNodeMs / 2;
    const key = `${timeoutMs} ${isOfCaller}`;
    const found = known.get(key);
    if (found) return found;
    const deadline = openDeadline(timeoutMs, context, isOfCaller);
    known.set(key, deadline);
    opened(deadline);
    return deadline;
  };
};

/** Waits for other queries; null where no other process is asked. @param mostMs half of the time there is */
const turnOf = (
  plans: readonly NodePlan[],
  turns: NodeTurns,
  mostMs: number,
  signal: AbortSignal,
): Promise<() => void> | null => {
  const asked = plans.filter(isAskedAway);
  if (asked.length === 0) return null;
  const deadlineMs = Math.max(...asked.map(({ node: { config } }) => config.timeoutMs));
  return turns.take(asked.length, Math.min(deadlineMs, mostMs), signal);
};

const isAskedAway = (plan: NodePlan): plan is AskPlan =>
  plan.kind === 'ask' && plan.node.config.source.kind === 'remote';

/** @param ended called once; functions, as promises of a thousand nodes live until the last of them has answered */
const ask = (plan: AskPlan, { context, before }: Deadline, ended: (result: NodeResult) => void): void => {
  const startedMs = performance.now();
  const askAs = (asked: AskPlan): void => {
    const answering = searched(asked, context);
    // who asks other processes heeds the signal
    void (isAskedAway(plan) ? answering : before(answering)).then(
      (answer) =>
        ended({ plan: asked, answer, state: 'ok', code: null, reason: '', tookMs: since(startedMs) }),
      (error: unknown) => {
        const counts = countsPlan(asked, error);
        if (counts === null) ended(failedResult(plan, error, since(startedMs)));
        else askAs(counts);
      },
    );
  };
  askAs(plan);
};

const since = (startedMs: number): number => Math.round(performance.now() - startedMs);

const failedResult = (plan: AskPlan, error: unknown, tookMs: number): NodeResult => {
  const { code, message, details } = asTributaryError(error);
  const reason = errorCodes[code].safe ? message : 'internal error';
  const failed = { plan, state: answerStateOf(code), code, reason, tookMs, answer: null };
  if (details?.['within'] !== undefined)
    return { ...failed, within: details['within'] as readonly NodeStatus[] };
  const wait = secondsToWait(error);
  if (wait !== null) return { ...failed, retryAfterSeconds: wait };
  const { smallestInterval, field, cost, maxCost } = details ?? {};
  if (typeof cost === 'number' && typeof maxCost === 'number')
    return { ...failed, tooExpensive: { cost, maxCost } };
  if (typeof smallestInterval !== 'number' && typeof smallestInterval !== 'string') return failed;
  return {
    ...failed,
    smallestInterval: smallestInterval as Interval,
    ...(typeof field === 'string' && { tooFineField: field }),
  };
};

/** A caller who may not see a node's records still gets counts where possible; null: nothing is left to ask. */
const countsPlan = (plan: AskPlan, error: unknown): AskPlan | null => {
  const { code, details } = asTributaryError(error);
  // a client that shows no bounds is refused whatever is left
  const isLess = code === 'NOT_DISCLOSED' && details?.['select'] === undefined;
  return isLess ? withheldPlan(plan) : null;
};

const searched = (plan: AskPlan, context: RequestContext): Promise<CatalogueResult> => {
  try {
    return searchOf(plan)(plan.query, context);
  } catch (error) {
    // as it was thrown
    return Promise.reject(error as Error);
  }
};

const searchOf = ({ status, translatedSort }: AskPlan): SearchFn =>
  translatedSort ? groupedSearch(status.search, translatedSort) : status.search;
