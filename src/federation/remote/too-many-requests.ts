import { setTimeout as sleep } from 'node:timers/promises';
import { asTributaryError, TributaryError } from '../../errors.ts';

/** Who is asked to wait longer is told that it is longer. */
const maxWaitSeconds = 3_600;
/** What an answer is given time for after a wait, at least. */
const minAnswerMs = 100;

/**
 * The error for a node that has too much to do for this caller: it was reached and is well.
 * @param waitMs how long it asks to wait; null where it does not say
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

/** How long an error asks to wait, in seconds; null where it is another error, or does not say. */
export const secondsToWait = (error: unknown): number | null => {
  const { code, details } = asTributaryError(error);
  const seconds = details?.['retryAfterSeconds'];
  return code === 'TOO_MANY_REQUESTS' && typeof seconds === 'number' ? seconds : null;
};

/**
 * Asks once more, after the wait that a node asked for, where that leaves it time to answer.
 * @param untilMs by when the node must have answered, as performance.now() counts
 * @throws what `ask` throws: of a wait that does not fit, or that its caller cut short, the node's own refusal
 */
export const retryAfterWait = async <T>(
  ask: () => Promise<T>,
  untilMs: number,
  signal: AbortSignal | undefined,
): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    const seconds = secondsToWait(error);
    if (seconds === null) throw error;
    const waitMs = seconds * 1000;
    if (waitMs + minAnswerMs > untilMs - performance.now()) throw error;
    const waited = await sleep(waitMs, true, signal ? { signal } : {}).catch(() => false);
    if (!waited) throw error;
  }
  return ask();
};
