import { asTributaryError, TributaryError, type ErrorCode } from '../../errors/errors.ts';
import { retryingErrors, type RetryBudget, type RetryOptions } from '../../net/retry.ts';

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
  const { retryAfterSeconds, text } = shownWait(waitMs);
  return new TributaryError('TOO_MANY_REQUESTS', `asks to wait ${text} before the next query`, {
    details: { retryAfterSeconds },
  });
};

/**
 * The error for a node that is not there for anybody at the moment.
 * @param waitMs how long it asks to wait; null if it does not say
 * @returns TributaryError NODE_UNREACHABLE with a reason safe to show
 */
export const unavailable = (status: number, waitMs: number | null): TributaryError => {
  if (waitMs === null) return new TributaryError('NODE_UNREACHABLE', `answered HTTP ${status}`);
  const { retryAfterSeconds, text } = shownWait(waitMs);
  return new TributaryError('NODE_UNREACHABLE', `answered HTTP ${status} and asks to wait ${text}`, {
    details: { retryAfterSeconds },
  });
};

const shownWait = (waitMs: number): { readonly retryAfterSeconds: number; readonly text: string } => {
  const seconds = Math.ceil(waitMs / 1000);
  const retryAfterSeconds = Math.min(seconds, maxWaitSeconds);
  return {
    retryAfterSeconds,
    text: `${seconds > maxWaitSeconds ? 'more than ' : ''}${retryAfterSeconds} s`,
  };
};

/** The wait that a node requested with an error, in seconds; null for another error, or if it does not say. */
export const secondsToWait = (error: unknown): number | null => {
  const { code, details } = asTributaryError(error);
  const seconds = details?.['retryAfterSeconds'];
  return waitingCodes.has(code) && typeof seconds === 'number' ? seconds : null;
};

const waitingCodes: ReadonlySet<ErrorCode> = new Set(['TOO_MANY_REQUESTS', 'NODE_UNREACHABLE']);

/** Retries once, after the wait that was requested. @param budget of the target */
export const waitingOnce = (budget: RetryBudget): RetryOptions<unknown> => ({
  attempts: 2,
  delays: { firstMs: 0, maxMs: 0 },
  isTransient: (error) => secondsToWait(error) !== null,
  retryAfterMs: (error) => 1000 * (secondsToWait(error) ?? 0),
  budget,
});

/**
 * Retries once, after the wait that a node requested, if that leaves it time to answer.
 * @param untilMs the deadline for the answer, on the performance.now() clock
 * @throws what `ask` throws: the node's own refusal if the wait does not fit or its caller aborted it
 */
export const retryAfterWait = <T>(
  ask: () => Promise<T>,
  untilMs: number,
  signal: AbortSignal | undefined,
  waiting: RetryOptions<unknown>,
): Promise<T> => retryingErrors(ask, waiting, { deadlineMs: untilMs - minAnswerMs, signal });
