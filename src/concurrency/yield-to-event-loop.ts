/** Slices of work that wait for an iteration of the event loop of their own. */
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

/** How long a slice of work may block the event loop, in milliseconds. */
export const sliceMs = 5;

/**
 * Resolves when the next slice of long work may run: one slice per iteration of the event loop, across all requests, first
 * come, first served. If each only waited for the end of the iteration, the slices of twenty requests would run back to
 * back, with everyone else after them. There is one event loop, hence one queue.
 * @throws the reason of the signal if it has been aborted: nobody waits for the work any more
 */
export const yieldToEventLoop = async (signal?: AbortSignal): Promise<void> => {
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    schedule();
  });
  signal?.throwIfAborted();
};

/**
 * Runs long work to its end in slices: other requests run where it yields, once it has run for `sliceMs`.
 * @throws as the work, and as yieldToEventLoop
 */
export const runInSlices = async <Result>(
  work: Iterator<unknown, Result>,
  signal?: AbortSignal,
): Promise<Result> => {
  let until = performance.now() + sliceMs;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    await yieldToEventLoop(signal);
    until = performance.now() + sliceMs;
  }
};
