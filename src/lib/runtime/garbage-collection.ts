import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// V8 computes how large the heap of a thread may become when it collects garbage. A long download therefore starts with
// a collection: otherwise its heap could grow to the size computed before its limit was set.

/** Lets this process start garbage collections itself; to be called before it starts threads. */
export const allowCollection = (): void => setFlagsFromString('--expose-gc');

/** Collects the garbage of this thread, where that is allowed; tens of milliseconds for a large heap. */
export const collectGarbage = (): void => {
  (runInNewContext('typeof gc === "function" ? gc : null') as (() => void) | null)?.();
};
