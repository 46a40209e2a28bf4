import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';

/** One request of a caller, which is charged for its slices of work. */
export interface Work {
  readonly caller: string;
  /** Processor time of its slices so far, in milliseconds. */
  usedMs: number;
}

interface Slice {
  readonly work: Work;
  readonly sinceMs: number;
  readonly begin: () => void;
}

/** Processor time of a caller's recent slices and searches, in milliseconds; it halves every five seconds. */
interface Usage {
  readonly ms: number;
  readonly atMs: number;
}

const halfLifeMs = 5_000;
/** A caller that was evicted starts at zero again. */
const maxCallers = 10_000;

/** Requests that have used less than this rank equal: there may always be new cheap ones, which run in order of arrival. */
const freeMs = 5;
/** Time used beyond freeMs counts up to this limit; so does a caller's time beyond callersFreeMs ... */
const maxMs = 50;
const callersFreeMs = 100;
/** ... divided by this: otherwise cheap requests of a busy caller would never precede costly ones. */
const callersShare = 32;
/** A slice that has waited this long precedes all new ones; after a tenth of it, the wait hardly counts yet. */
const longestMs = 20_000;

/**
 * Slices of work that wait for the event loop. The next slice is that of the work and the caller that have used the least
 * time (least attained service; Kleinrock, Queueing Systems II, 1976): short work precedes long work, although neither
 * length is known in advance.
 * All times are on the clock of performance.now().
 */
export class SliceQueue {
  /** In the order in which they began to wait. */
  readonly #waiting: Slice[] = [];
  readonly #usages = new LRUCache<string, Usage>({ max: maxCallers });

  /** @param begin is returned by `take` */
  add(work: Work, begin: () => void, nowMs: number): void {
    this.#waiting.push({ work, begin, sinceMs: nowMs });
  }

  /** Takes the next slice. */
  take(nowMs: number): Pick<Slice, 'work' | 'begin'> | undefined {
    let [next, least] = [0, Infinity];
    for (const [at, slice] of this.#waiting.entries()) {
      const rank = this.#rank(slice, nowMs);
      if (rank < least) [next, least] = [at, rank];
    }
    return this.#waiting.splice(next, 1)[0];
  }

  /** @param ms processor time of the slice */
  charge(work: Work, ms: number, nowMs: number): void {
    work.usedMs += ms;
    this.chargeCaller(work.caller, ms, nowMs);
  }

  /** @param ms processor time outside of slices */
  chargeCaller(caller: string, ms: number, nowMs: number): void {
    this.#usages.set(caller, { ms: this.#usedBy(caller, nowMs) + ms, atMs: nowMs });
  }

  #rank({ work, sinceMs }: Slice, nowMs: number): number {
    const own = beyond(work.usedMs, freeMs);
    const callers = beyond(this.#usedBy(work.caller, nowMs), callersFreeMs) / callersShare;
    return Math.min(own, maxMs) + Math.min(callers, maxMs) - 2 * maxMs * ((nowMs - sinceMs) / longestMs) ** 2;
  }

  #usedBy(caller: string, nowMs: number): number {
    const usage = this.#usages.get(caller);
    return usage === undefined ? 0 : usage.ms * 2 ** ((usage.atMs - nowMs) / halfLifeMs);
  }
}

const beyond = (ms: number, free: number): number => Math.max(0, ms - free);

/** How long slices of work may block the event loop in one of its iterations, in milliseconds. */
export const sliceMs = 5;

const works = new AsyncLocalStorage<Work>();

/** Does work for a caller, which is charged for its slices and those of everything that it awaits. */
export const onBehalfOf = <Result>(caller: string, work: () => Result): Result =>
  works.run({ caller, usedMs: 0 }, work);

/** Runs steps that others request, such as the reader of a stream, on behalf of the current work. */
export const forCurrentWork = (): (<Result>(step: () => Result) => Result) => AsyncLocalStorage.snapshot();

const waiting = new SliceQueue();
/** Charges a caller for processor time elsewhere, such as that of searches: its slices then wait for those of others. */
export const chargeCaller = (caller: string, ms: number): void =>
  waiting.chargeCaller(caller, ms, performance.now());

let running: { readonly work: Work; readonly sinceMs: number } | null = null;
/** When the first slice of this iteration of the event loop began; null before the first. */
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

/** Between two immediates, all promise callbacks of a slice run. */
const schedule = (): void => {
  setImmediate(beginSlice);
  setImmediate(endSlice);
};

/**
 * Resolves when the next slice of long work may run. All requests share one queue, as there is one event loop: in each of
 * its iterations slices run for `sliceMs`. If each only waited for the end of the iteration, the slices of a hundred
 * requests would run back to back, before all other requests.
 * @throws the reason of the signal if it has been aborted: the result is not needed any more
 */
export const yieldToEventLoop = async (signal?: AbortSignal): Promise<void> => {
  // work of the server itself has no caller
  const work = works.getStore() ?? { caller: '', usedMs: 0 };
  await new Promise<void>((begin) => {
    waiting.add(work, begin, performance.now());
    schedule();
  });
  signal?.throwIfAborted();
};

/**
 * Runs long work to its end in slices: other requests run where it yields, once it has run for `sliceMs`.
 * @throws errors of the work and of yieldToEventLoop
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
