import { setTimeout as sleep } from 'node:timers/promises';

/** What of the requests to one target may be retries. */
export interface RetryBudget {
  /** Counts a request that is no retry. */
  recordRequest(): void;
  /** Whether a retry may be sent; it is paid for when it may. */
  spend(): boolean;
}

/** What a request earns, and what a retry costs is 1: retries are a tenth of the requests. */
const earned = 0.1;
const mostSaved = 100;
/**
 * What there is for a target that is seldom asked: an indexing job retries three bulk requests at once, five times each.
 * Restored over time, or one long outage would use it up for good.
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
      tokens = Math.min(mostSaved, tokens + earned);
    },
    spend: () => {
      restore();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
};

const budgets = new WeakMap<object, RetryBudget>();

/** The one budget of a target, whichever call asks it. */
export const retryBudgetOf = (target: object): RetryBudget => {
  const budget = budgets.get(target) ?? openRetryBudget();
  budgets.set(target, budget);
  return budget;
};

/** Waits; replaced in tests, so that they do not. */
export type Wait = (ms: number, signal?: AbortSignal) => Promise<unknown>;

export interface RetryOptions<Failure> {
  /** In all, the first included. */
  readonly attempts: number;
  /** The longest wait before the first retry, which doubles with each further one, and its bound. */
  readonly delays: { readonly firstMs: number; readonly maxMs: number };
  /** Whether sending it twice does no more than sending it once; unset: it is. */
  readonly isIdempotent?: boolean;
  /** Whether it may go better the next time. */
  readonly isTransient: (failure: Failure) => boolean;
  /** How long the target asks to wait, null where it does not say: it is waited for at least as long. */
  readonly retryAfterMs?: (failure: Failure) => number | null;
  /** By when all must be done, as performance.now() counts: a wait that ends later is not begun. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether a retry after it counts against the budget; unset: it does. */
  readonly isCharged?: (failure: Failure) => boolean;
  /** null: only attempts, deadline and signal bound it, as while waiting for something to start. */
  readonly budget: RetryBudget | null;
  readonly wait?: Wait;
}

/** What the last attempt came to. */
export interface Retried<Outcome> {
  readonly outcome: Outcome;
  readonly attempts: number;
}

/**
 * The only place that sends a request again: whatever is called through it must not retry by itself, or the attempts
 * multiply. Waits are random, from nothing to a bound that grows, so that callers who failed together do not come back
 * together.
 * @param work is told the number of the attempt, from 1
 * @returns the last outcome, transient or not, at once when the signal is aborted
 * @throws what `work` throws, which is not tried again
 */
export const retrying = async <Outcome>(
  work: (attempt: number) => Promise<Outcome>,
  options: RetryOptions<Outcome>,
): Promise<Retried<Outcome>> => {
  const { isIdempotent = true, isTransient, signal, budget, wait = delayed } = options;
  const isAborted = (): boolean => signal?.aborted === true;
  budget?.recordRequest();
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await work(attempts);
    const last = { outcome, attempts };
    const mayRetry = isIdempotent && attempts < options.attempts && !isAborted();
    if (!mayRetry || !isTransient(outcome)) return last;
    const waitMs = delayBefore(attempts, outcome, options);
    if (performance.now() + waitMs >= (options.deadlineMs ?? Infinity)) return last;
    const isCharged = options.isCharged?.(outcome) ?? true;
    if (isCharged && budget?.spend() === false) return last;
    try {
      await wait(waitMs, signal);
    } catch (error) {
      // the timer's own error says less than what came before it
      if (!isAborted()) throw error;
    }
    if (isAborted()) return last;
  }
};

/**
 * As `retrying`, for work that throws when it fails.
 * @throws the error of the last attempt
 */
export const retryingErrors = async <Value>(
  work: (attempt: number) => Promise<Value>,
  options: RetryOptions<unknown>,
): Promise<Value> => {
  const attempt = async (number: number): Promise<Attempted<Value>> => {
    try {
      return { value: await work(number) };
    } catch (error) {
      return { error };
    }
  };
  const { isTransient, retryAfterMs, isCharged, ...others } = options;
  const { outcome } = await retrying<Attempted<Value>>(attempt, {
    ...others,
    isTransient: (attempted) => 'error' in attempted && isTransient(attempted.error),
    ...(isCharged && { isCharged: (attempted) => 'error' in attempted && isCharged(attempted.error) }),
    ...(retryAfterMs && {
      retryAfterMs: (attempted) => ('error' in attempted ? retryAfterMs(attempted.error) : null),
    }),
  });
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
};

type Attempted<Value> = { readonly value: Value } | { readonly error: unknown };

const delayBefore = <Outcome>(
  failures: number,
  outcome: Outcome,
  { delays: { firstMs, maxMs }, retryAfterMs }: RetryOptions<Outcome>,
): number => {
  const jittered = Math.random() * Math.min(maxMs, firstMs * 2 ** (failures - 1));
  return Math.max(jittered, retryAfterMs?.(outcome) ?? 0);
};

const delayed: Wait = (ms, signal) => sleep(ms, undefined, signal && { signal });
