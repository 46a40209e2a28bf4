/** What waits for a turn of the event loop of its own. */
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

/** How long a piece of work may keep the event loop, in milliseconds. */
export const sliceMs = 5;

/**
 * Resolves when a piece of long work may be done: one piece in each turn of the event loop, whosoever it is, in the order
 * asked. Were each to wait for the end of the turn only, the pieces of twenty requests would come in one row, and
 * everybody else after them. There is one event loop, and so one line for it.
 */
export const turnOfLoop = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
