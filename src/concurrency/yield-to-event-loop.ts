import { AsyncLocalStorage } from 'node:async_hooks';
import { SliceQueue, type Work } from './slice-queue.ts';

/** How long slices of work may block the event loop in one of its iterations, in milliseconds. */
export const sliceMs = 5;

const works = new AsyncLocalStorage<Work>();

/** Does work for a caller: its slices, and those of all that it waits for, are charged to it. */
export const onBehalfOf = <Result>(caller: string, work: () => Result): Result =>
  works.run({ caller, usedMs: 0 }, work);

/** Runs steps that others request, such as the reader of a stream, for the work that is done now. */
export const forCurrentWork = (): (<Result>(step: () => Result) => Result) => AsyncLocalStorage.snapshot();

const waiting = new SliceQueue();
/** Charges a caller for processor time elsewhere, such as that of searches: its slices wait for those of others. */
export const chargeCaller = (caller: string, ms: number): void =>
  waiting.chargeCaller(caller, ms, performance.now());

let running: { readonly work: Work; readonly sinceMs: number } | null = null;
/** When the first slice of this iteration of the event loop began; null: none has. */
let iterationMs: number | null = null;

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

const endSlice = (): void => {
  if (running === null) return;
  waiting.charge(running.work, processorMs() - running.sinceMs, performance.now());
  running = null;
};

const beginSlice = (): void => {
  const nowMs = performance.now();
  if (iterationMs === null) {
    iterationMs = nowMs;
    // runs before all slices of the next iteration, as it is scheduled before them
    setImmediate(() => (iterationMs = null));
  } else if (nowMs - iterationMs >= sliceMs) return schedule();
  const { work, begin } = waiting.take(nowMs)!;
  running = { work, sinceMs: processorMs() };
  begin();
};

/** Between two immediates, all that a slice does in promises is done. */
const schedule = (): void => {
  setImmediate(beginSlice);
  setImmediate(endSlice);
};

/**
 * Resolves when the next slice of long work may run. All requests share one queue, as there is one event loop: in each of
 * its iterations slices run for `sliceMs`. If each only waited for the end of the iteration, the slices of a hundred
 * requests would run back to back, with everyone else after them.
 * @throws the reason of the signal if it has been aborted: nobody waits for the work any more
 */
export const yieldToEventLoop = async (signal?: AbortSignal): Promise<void> => {
  // the server's own has no caller
  const work = works.getStore() ?? { caller: '', usedMs: 0 };
  await new Promise<void>((begin) => {
    waiting.add(work, begin, performance.now());
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
