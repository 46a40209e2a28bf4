import { asTributaryError, TributaryError } from '../../errors.ts';
import { retryingErrors, type RetryBudget } from '../../retry.ts';

/** Longer waits are only reported as longer than this. */
const maxWaitSeconds = 3_600;
/** The minimum time left for an answer after a wait. */
const minAnswerMs = 100;

/**
 * The error for a node that is too busy for this caller: it was reached and is healthy.
 * @param waitMs how long it asks to wait; null if it does not say
 * @returns TributaryError TOO_MANY_REQUESTS with a reason safe to show
 */
export const rateLimited = (waitMs: number | null): TributaryError => {
  if (waitMs === null) return new TributaryError('TOO_MANY_REQUESTS', 'asks to wait before the next query');
  const seconds = Math.ceil(waitMs / 1000);
  const retryAfterSeconds = Math.min(seconds, maxWaitSeconds);
  const howLong = `${seconds > maxWaitSeconds ? 'more than ' : ''}${retryAfterSeconds} s`;
  return new TributaryError('TOO_MANY_REQUESTS', `asks to wait ${howLong} before the next query`, {
    details: { retryAfterSeconds },
  });
};

/** The wait that an error requests, in seconds; null for another error, or if it does not say. */
export const secondsToWait = (error: unknown): number | null => {
  const { code, details } = asTributaryError(error);
  const seconds = details?.['retryAfterSeconds'];
  return code === 'TOO_MANY_REQUESTS' && typeof seconds === 'number' ? seconds : null;
};

/**
 * Retries once, after the wait that a node requested, if that leaves it time to answer.
 * @param untilMs the deadline for the answer, on the performance.now() clock
 * @throws what `ask` throws: the node's own refusal if the wait does not fit or its caller aborted it
 */
export const retryAfterWait = <T>(
  ask: () => Promise<T>,
  untilMs: number,
  signal: AbortSignal | undefined,
  budget: RetryBudget,
): Promise<T> =>
  retryingErrors(ask, {
    attempts: 2,
    delays: { firstMs: 0, maxMs: 0 },
    isTransient: (error) => secondsToWait(error) !== null,
    retryAfterMs: (error) => 1000 * (secondsToWait(error) ?? 0),
    deadlineMs: untilMs - minAnswerMs,
    signal,
    budget,
  });
