import { onAbort } from '../concurrency/abort-listener.ts';
import { asTributaryError, TributaryError, type ErrorCode } from '../errors/errors.ts';

/** Limits how many of the requests to one target may be retries. */
export interface RetryBudget {
  /** Counts a request that is not a retry. */
  recordRequest(): void;
  /** Whether a retry may be sent; if so, it is charged. */
  spend(): boolean;
}

/** What each request earns; a retry costs 1, so retries are at most a tenth of the requests. */
const earned = 0.1;
const maxTokens = 100;
/**
 * The budget of a target that gets few requests: an indexing job retries three bulk requests at once, five times each.
 * It is restored over time; otherwise one long outage would use it up for good.
 */
const floor = 20;
const restoredPerSecond = 1;

/** A token bucket. */
export const openRetryBudget = (now: () => number = () => performance.now()): RetryBudget => {
  let tokens = floor;
  let restoredAtMs = now();
  const restore = (): void => {
    const atMs = now();
    const restored = ((atMs - restoredAtMs) / 1000) * restoredPerSecond;
    restoredAtMs = atMs;
    if (tokens < floor) tokens = Math.min(floor, tokens + restored);
  };
  return {
    recordRequest: () => {
      restore();
      tokens = Math.min(maxTokens, tokens + earned);
    },
    spend: () => {
      restore();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
};

/** One per target in use. A target that is rebuilt, such as by a reload, starts with a new budget. */
const budgets = new WeakMap<object, RetryBudget>();

/** The budget of a target, shared by all calls to it. */
export const retryBudgetOf = (target: object): RetryBudget => {
  const budget = budgets.get(target) ?? openRetryBudget();
  budgets.set(target, budget);
  return budget;
};

/** Waits; replaced in tests to avoid delays. */
export type Wait = (ms: number, signal?: AbortSignal) => Promise<unknown>;

export interface RetryOptions<Failure> {
  /** The maximum number of attempts, including the first. */
  readonly attempts: number;
  /** The longest wait before the first retry, which doubles with each further retry, and its upper bound. */
  readonly delays: { readonly firstMs: number; readonly maxMs: number };
  /** Whether sending it twice has the same effect as sending it once; true if unset. */
  readonly isIdempotent?: boolean;
  /** Whether the next attempt may succeed. */
  readonly isTransient: (failure: Failure) => boolean;
  /** The wait that the target requests, which is then the minimum; null if it requests none. */
  readonly retryAfterMs?: (failure: Failure) => number | null;
  /** Whether a retry after this failure is charged to the budget; true if unset. */
  readonly isCharged?: (failure: Failure) => boolean;
  /** null: limited only by attempts, deadline and signal, as when waiting for something to start. */
  readonly budget: RetryBudget | null;
  readonly wait?: Wait;
  /** The deadline on the clock of performance.now(): a wait that would end later is not begun. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The outcome of the last attempt. */
export interface Retried<Outcome> {
  readonly outcome: Outcome;
  readonly attempts: number;
}

/**
 * The only place that retries requests: functions called through it must not retry themselves, or the attempts multiply.
 * Waits are random, between zero and a growing bound, so that callers who failed together do not return together.
 * @param work gets the number of the attempt, from 1
 * @returns the last outcome, transient or not; without delay when the signal is aborted
 * @throws what `work` throws, without a retry
 */
export const retrying = async <Outcome>(
  work: (attempt: number) => Promise<Outcome>,
  options: RetryOptions<Outcome>,
): Promise<Retried<Outcome>> => {
  options.budget?.recordRequest();
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await work(attempts);
    if (!options.isTransient(outcome) || !(await waitedAfter(outcome, attempts, options)))
      return { outcome, attempts };
  }
};

/**
 * Like `retrying`, for work that throws when it fails.
 * @throws the error of the last attempt
 */
export const retryingErrors = async <Value>(
  work: (attempt: number) => Promise<Value>,
  options: RetryOptions<unknown>,
): Promise<Value> => {
  options.budget?.recordRequest();
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await work(attempts);
    } catch (error) {
      if (!options.isTransient(error) || !(await waitedAfter(error, attempts, options))) throw error;
    }
  }
};

/** Waits before the attempt after a transient failure. @returns false, without waiting, if there is to be no attempt */
const waitedAfter = async <Failure>(
  failure: Failure,
  attempts: number,
  options: RetryOptions<Failure>,
): Promise<boolean> => {
  const { isIdempotent = true, signal, budget, wait = delayed } = options;
  const isAborted = (): boolean => signal?.aborted === true;
  if (!isIdempotent || attempts >= options.attempts || isAborted()) return false;
  const waitMs = delayBefore(attempts, failure, options);
  if (performance.now() + waitMs >= (options.deadlineMs ?? Infinity)) return false;
  const isCharged = options.isCharged?.(failure) ?? true;
  if (isCharged && budget?.spend() === false) return false;
  try {
    await wait(waitMs, signal);
  } catch (error) {
    // the timer's own error is less informative than the failure before it
    if (!isAborted()) throw error;
  }
  return !isAborted();
};

const delayBefore = <Outcome>(
  failures: number,
  outcome: Outcome,
  { delays: { firstMs, maxMs }, retryAfterMs }: RetryOptions<Outcome>,
): number => {
  const jittered = Math.random() * Math.min(maxMs, firstMs * 2 ** (failures - 1));
  return Math.max(jittered, retryAfterMs?.(outcome) ?? 0);
};

/** Browsers run it too. */
const delayed: Wait = (ms, signal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      remove?.();
      resolve();
    }, ms);
    const remove =
      signal &&
      onAbort(signal, () => {
        clearTimeout(timer);
        // the caller's own reason
        reject(signal.reason as Error);
      });
  });

/**
 * The wait that a response requests before the next request.
 * @param header Retry-After as received (RFC 9110, section 10.2.3: seconds or a date)
 * @returns milliseconds; null if the header cannot be parsed
 */
export const retryAfterMs = (header: string | null | undefined, now = Date.now()): number | null => {
  const text = header?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
};

/** Longer waits are only reported as longer than this. */
const maxWaitSeconds = 3_600;
/** The minimum time left for an answer after a wait. */
const minAnswerMs = 100;

/**
 * The error for a node that is too busy for this caller: it was reached and is healthy.
 * @param waitMs the requested wait; null if none was requested
 * @returns TributaryError TOO_MANY_REQUESTS with a reason safe to show
 */
export const rateLimited = (waitMs: number | null): TributaryError =>
  asksToWait('TOO_MANY_REQUESTS', 'rate-limited', waitMs);

/**
 * The error for a node that has no time, or is not ready: one that says for how long is there.
 * @param waitMs the requested wait; null if none was requested
 * @returns TributaryError NOT_READY or NODE_UNREACHABLE with a reason safe to show
 */
export const unavailable = (status: number, waitMs: number | null): TributaryError =>
  status === 503 && waitMs !== null
    ? asksToWait('NOT_READY', 'busy or not ready', waitMs)
    : asksToWait('NODE_UNREACHABLE', `answered HTTP ${status}`, waitMs);

const asksToWait = (code: ErrorCode, reason: string, waitMs: number | null): TributaryError => {
  if (waitMs === null) return new TributaryError(code, reason);
  const seconds = Math.ceil(waitMs / 1000);
  const retryAfterSeconds = Math.min(seconds, maxWaitSeconds);
  const more = seconds > maxWaitSeconds ? 'more than ' : '';
  return new TributaryError(code, `${reason}: retry after ${more}${retryAfterSeconds} s`, {
    details: { retryAfterSeconds },
  });
};

/** The wait that a node requested with an error, in seconds; null for other errors, or if none was requested. */
export const secondsToWait = (error: unknown): number | null => {
  const { code, details } = asTributaryError(error);
  const seconds = details?.['retryAfterSeconds'];
  return waitingCodes.has(code) && typeof seconds === 'number' ? seconds : null;
};

const waitingCodes: ReadonlySet<ErrorCode> = new Set(['TOO_MANY_REQUESTS', 'NOT_READY', 'NODE_UNREACHABLE']);

/** The wait before a node that is too busy and requests none is queried again. */
const defaultWaitMs = 1_000;
/** A random part of this is added to a wait, so that hubs turned away together do not return together. */
const spreadMs = 500;

/**
 * Retries up to three times, each after the wait that a node requested, if that leaves it time to answer.
 * @param untilMs the deadline for the answer, on the performance.now() clock
 * @param budget the node's retry budget
 * @throws what `send` throws: the node's own refusal if the wait does not fit or its caller aborted it
 */
export const retryAfterWait = <T>(
  send: () => Promise<T>,
  untilMs: number,
  signal: AbortSignal | undefined,
  budget: RetryBudget,
): Promise<T> =>
  retryingErrors(send, {
    attempts: 4,
    delays: { firstMs: 0, maxMs: 0 },
    isTransient: (error) => waitAfter(error) !== null,
    retryAfterMs: waitAfter,
    budget,
    deadlineMs: untilMs - minAnswerMs,
    signal,
  });

/** 503 without a wait is mostly a node that is down, where every query would only take longer. */
const waitAfter = (error: unknown): number | null => {
  const seconds = secondsToWait(error);
  if (seconds !== null) return 1_000 * seconds + spreadOf(error);
  return asTributaryError(error).code === 'TOO_MANY_REQUESTS' ? defaultWaitMs + spreadOf(error) : null;
};

/** By the error that the callers of a shared request get: they wait alike, and so share the next request too. */
const spreads = new WeakMap<object, number>();

const spreadOf = (error: unknown): number => {
  const key = asTributaryError(error);
  const spread = spreads.get(key) ?? Math.random() * spreadMs;
  spreads.set(key, spread);
  return spread;
};
