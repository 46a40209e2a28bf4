import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves like the promise, or to "still pending" after a second: a hang fails an assertion, not the test's timeout. */
export const soon = <Value>(promise: Promise<Value>): Promise<Value | 'still pending'> =>
  Promise.race([promise, sleep(1_000, 'still pending' as const)]);
