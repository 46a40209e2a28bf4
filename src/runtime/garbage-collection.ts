import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// What the heap of a thread may grow to is computed when its garbage is collected. A long download therefore starts with
// a collection: otherwise it could fill its heap up to what was computed before it was bounded.

/** Lets this process collect garbage when it wants to: for a program of ours, before it starts threads. */
export const allowCollection = (): void => setFlagsFromString('--expose-gc');

/** Collects the garbage of this thread, where that is allowed; tens of milliseconds for a large heap. */
export const collectGarbage = (): void => {
  (runInNewContext('typeof gc === "function" ? gc : null') as (() => void) | null)?.();
};
