import { AsyncLocalStorage } from 'node:async_hooks';
import { inHouse, TurnQueue, Usage, type Caller } from './turn-queue.ts';

/** One request of a caller, which is charged for its slices of work. */
interface Work {
  readonly caller: Caller;
  /** When it began, on the clock of performance.now(). */
  readonly sinceMs: number;
  hasBegun: boolean;
  /** Processor time of its slices so far, in milliseconds; coarse on some machines. */
  usedMs: number;
}

interface Slice {
  readonly work: Work;
  readonly begin: () => void;
}

/** How long slices of work may block the event loop in one of its iterations, in milliseconds. */
export const sliceMs = 5;

const works = new AsyncLocalStorage<Work>();

/** Does work for a caller, which is charged for its slices and those of everything that it awaits. */
export const onBehalfOf = <Result>(caller: Caller, work: () => Result): Result =>
  works.run(newWork(caller), work);

const newWork = (caller: Caller): Work => ({
  caller,
  sinceMs: performance.now(),
  hasBegun: false,
  usedMs: 0,
});

/** Runs steps that others request, such as the reader of a stream, on behalf of the current work. */
export const forCurrentWork = (): (<Result>(step: () => Result) => Result) => AsyncLocalStorage.snapshot();

/** What callers have used of this process lately: of its event loop, which it has once, and of its engine. */
export const usageOfProcess = new Usage();

/**
 * Requests of one caller go on in the order in which they began, but one that has used a millisecond lets those pass that
 * began up to 20 ms later: short ones overtake long ones, and none has to wait for all that come after it.
 */
const rankOf = ({ work }: Slice): number => work.sinceMs + 20 * work.usedMs;

/** A request that has used less, in milliseconds, goes before those that have used more. */
const shortMs = sliceMs;
/** Callers who have used less lately take turns: newcomers do not pass those who ask for little again and again. */
const littleMs = 250;
/** Long requests that wait have a slice at least this often, in milliseconds. */
const longEveryMs = 10;

/** Slices that wait: a flood of long requests delays no short one, and short ones never stop the long ones. */
class WaitingSlices {
  /** Of short requests that have begun: most have what they asked for, and end. */
  readonly #begun = new TurnQueue<Slice>(usageOfProcess, { rankOf, littleMs });
  readonly #new = new TurnQueue<Slice>(usageOfProcess, { rankOf, littleMs });
  readonly #long = new TurnQueue<Slice>(usageOfProcess, { rankOf, littleMs });
  /** When a long one last ran, or the first began to wait. */
  #longAtMs = 0;

  add(slice: Slice): void {
    if (this.#long.size === 0) this.#longAtMs = performance.now();
    this.#queueOf(slice.work).add(slice.work.caller, slice);
  }

  take(nowMs: number): Slice {
    const isLongDue = nowMs - this.#longAtMs >= longEveryMs && this.#long.size > 0;
    const short = isLongDue ? undefined : (this.#begun.take() ?? this.#new.take());
    if (short !== undefined) return short;
    this.#longAtMs = nowMs;
    return this.#long.take()!;
  }

  #queueOf({ hasBegun, usedMs }: Work): TurnQueue<Slice> {
    if (usedMs >= shortMs) return this.#long;
    return hasBegun ? this.#begun : this.#new;
  }
}

const waiting = new WaitingSlices();

/** The current work takes long, as is known before it has begun: it lets short requests go first. */
export const expectLongWork = (): void => {
  const work = works.getStore();
  if (work !== undefined) work.usedMs = Math.max(work.usedMs, shortMs);
};

let running: { readonly work: Work; readonly sinceMs: number } | null = null;
/** When the first slice of this iteration of the event loop began; null before the first. */
let iterationMs: number | null = null;

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

const endSlice = (): void => {
  if (running === null) return;
  const { work, sinceMs } = running;
  const usedMs = processorMs() - sinceMs;
  work.usedMs += usedMs;
  usageOfProcess.charge(work.caller, usedMs);
  running = null;
};

const beginSlice = (): void => {
  const nowMs = performance.now();
  if (iterationMs === null) {
    iterationMs = nowMs;
    // runs before all slices of the next iteration, as it is scheduled before them
    setImmediate(() => (iterationMs = null));
  } else if (nowMs - iterationMs >= sliceMs) return schedule();
  const { work, begin } = waiting.take(nowMs);
  work.hasBegun = true;
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
 * its iterations slices run for `sliceMs`, those of short requests first. If each only waited for the end of the iteration,
 * the slices of a hundred requests would run back to back, before all other requests.
 * @throws the reason of the signal if it has been aborted: the result is not needed any more
 */
export const yieldToEventLoop = async (signal?: AbortSignal): Promise<void> => {
  const work = works.getStore() ?? newWork(inHouse);
  await new Promise<void>((begin) => {
    waiting.add({ work, begin });
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

/** What a function makes of each item, made in slices. @throws as runInSlices */
export const mapInSlices = <Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
  signal?: AbortSignal,
): Promise<readonly Result[]> => runInSlices(mapping(items, map), signal);

function* mapping<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Generator<void, readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(map(item));
    yield;
  }
  return results;
}
