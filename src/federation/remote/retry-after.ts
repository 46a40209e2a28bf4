import { asTributaryError, TributaryError, type ErrorCode } from '../../errors/errors.ts';
import { retryingErrors, type RetryBudget } from '../../net/retry.ts';

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
