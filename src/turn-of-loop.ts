/** Work waiting for its own turn of the event loop. */
const waiting: (() => void)[] = [];
let isScheduled = false;

const schedule = (): void => {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    waiting.shift()!();
    if (waiting.length > 0) schedule();
  });
};

/** How long a piece of work may block the event loop, in milliseconds. */
export const sliceMs = 5;

/**
 * Resolves when a piece of long work may run: one piece per turn of the event loop, across all requests, first come,
 * first served. If each only waited for the end of the turn, the pieces of twenty requests would run back to back, with
 * everyone else after them. There is one event loop, hence one queue.
 */
export const turnOfLoop = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
