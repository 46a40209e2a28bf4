import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves like the promise, or to "still pending" after a minute: a hang fails an assertion, not the test's timeout. */
export const soon = async <Value>(promise: Promise<Value>): Promise<Value | 'still pending'> => {
  const settled = new AbortController();
  try {
    return await Promise.race([promise, sleep(60_000, 'still pending' as const, { signal: settled.signal })]);
  } finally {
    settled.abort();
  }
};
