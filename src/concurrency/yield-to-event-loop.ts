import { AsyncLocalStorage } from 'node:async_hooks';
import { inHouse, TurnQueue, Usage, type Caller } from './turn-queue.ts';

/** One request of a caller, which is charged for its slices of work. */
interface Work {
  readonly caller: Caller;
  /** When it began, on the clock of performance.now(). */
  readonly sinceMs: number;
  /** How many slices it has asked for so far, and their processor time in milliseconds. */
  turns: number;
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
  works.run({ caller, sinceMs: performance.now(), turns: 0, usedMs: 0 }, work);

/** What no request waits for: long from the start. */
const ofServer: Work = { caller: inHouse, sinceMs: 0, turns: Infinity, usedMs: Infinity };

/** Runs steps that others request, such as the reader of a stream, on behalf of the current work. */
export const forCurrentWork = (): (<Result>(step: () => Result) => Result) => AsyncLocalStorage.snapshot();

/**
 * Requests of one caller go on in the order in which they began, but one that has used a millisecond lets those pass that
 * began up to 20 ms later: short ones overtake long ones, and none has to wait for all that come after it.
 */
const rankOf = ({ work }: Slice): number => work.sinceMs + 20 * work.usedMs;

/** Requests of one kind, in an order that is fair between their callers. */
const newLane = () => {
  const usage = new Usage();
  return { usage, waiting: new TurnQueue<Slice>(usage, rankOf) };
};
type Lane = ReturnType<typeof newLane>;

/**
 * Requests that have had no more turns, and used less than so many milliseconds, come before longer ones: nearly all of
 * ordinary users. Turns count too, as some systems measure processor time in steps of many turns.
 */
const shortTurns = 3;
const shortMs = 5;
const [short, long] = [newLane(), newLane()];
/** How much more time short requests have had than long ones while there were both, in milliseconds. */
let leadMs = 0;

const laneOf = ({ turns, usedMs }: Work): Lane => (turns <= shortTurns && usedMs < shortMs ? short : long);

/** Short requests are next, unless they take up more than half of the time: they wait for hardly any of the long ones. */
const takeNext = (): Slice & { readonly lane: Lane } => {
  if (short.waiting.size === 0 || long.waiting.size === 0) leadMs = 0;
  const isShort = long.waiting.size === 0 || (short.waiting.size > 0 && leadMs <= 0);
  // a turn counts as a millisecond besides, for the same reason
  if (isShort) leadMs += 1;
  const lane = isShort ? short : long;
  const next = lane.waiting.take()!;
  lane.usage.level(next.work.caller);
  return { ...next, lane };
};

let running: { readonly work: Work; readonly lane: Lane; sinceMs: number } | null = null;
/** When the first slice of this iteration of the event loop began; null before the first. */
let iterationMs: number | null = null;

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Charges what the slice has used since it began or was last charged. */
const charge = (): void => {
  if (running === null) return;
  const { work, lane, sinceMs } = running;
  running.sinceMs = processorMs();
  const usedMs = running.sinceMs - sinceMs;
  work.usedMs += usedMs;
  lane.usage.charge(work.caller, usedMs);
  leadMs += lane === short ? usedMs : -usedMs;
};

const endSlice = (): void => {
  charge();
  running = null;
};

const beginSlice = (): void => {
  const nowMs = performance.now();
  if (iterationMs === null) {
    iterationMs = nowMs;
    // runs before all slices of the next iteration, as it is scheduled before them
    setImmediate(() => (iterationMs = null));
  } else if (nowMs - iterationMs >= sliceMs) return schedule();
  const { work, lane, begin } = takeNext();
  running = { work, lane, sinceMs: processorMs() };
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
  const work = works.getStore() ?? ofServer;
  work.turns += 1;
  // what it has used decides where it waits
  if (work === running?.work) charge();
  await new Promise<void>((begin) => {
    laneOf(work).waiting.add(work.caller, { work, begin });
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
