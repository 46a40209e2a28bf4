import { retryAfterMs } from '../../retry-after.ts';

export const maxAttempts = 5;

const firstDelayMs = 250;
const maxDelayMs = 10_000;
/** A repository that asks for more is not waited for longer. */
const maxRetryAfterMs = 60_000;

/**
 * How long to wait after an attempt that failed: exponential backoff with full jitter, and at least as long as the
 * answer asked for within bounds.
 * @param attempt the one that failed, from 1
 * @param retryAfter the header as it came (RFC 9110, section 10.2.3: seconds or a date)
 * @returns milliseconds
 */
export const retryDelayMs = (attempt: number, retryAfter: string | null, now = Date.now()): number => {
  const jittered = Math.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return Math.max(jittered, Math.min(retryAfterMs(retryAfter, now) ?? 0, maxRetryAfterMs));
};
