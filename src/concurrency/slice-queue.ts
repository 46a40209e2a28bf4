import { LRUCache } from 'lru-cache';

/** What slices of work are charged to: one request of a caller. */
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

/** Processor time of a caller's slices of late, in milliseconds that halve every second. */
interface Usage {
  readonly ms: number;
  readonly atMs: number;
}

const halfLifeMs = 1_000;
/** A forgotten caller starts anew. */
const maxCallers = 10_000;

/** Work that has used less is as good as new: it precedes all that has used more. */
const newMs = 5;
/** What work has used counts up to this, and what its caller has used up to another as much ... */
const maxMs = 50;
/** ... when divided by this: else nobody's cheap request would precede costly ones. */
const callersShare = 32;
/** Each millisecond of waiting makes up for this many of use: whatever arrives, no slice waits for longer than 20 s. */
const waitingPart = 1 / 200;

/**
 * Slices of work that wait for the event loop. The next is that of the work that has used least (least attained service;
 * Kleinrock, Queueing Systems II, 1976): what takes little time precedes what takes much, though neither is known before.
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

  /** @param ms of processor time that a slice has taken */
  charge(work: Work, ms: number, nowMs: number): void {
    work.usedMs += ms;
    this.#usages.set(work.caller, { ms: this.#usedBy(work.caller, nowMs) + ms, atMs: nowMs });
  }

  #rank({ work, sinceMs }: Slice, nowMs: number): number {
    const own = work.usedMs < newMs ? 0 : Math.min(work.usedMs, maxMs);
    const callers = Math.min(this.#usedBy(work.caller, nowMs) / callersShare, maxMs);
    return own + callers - waitingPart * (nowMs - sinceMs);
  }

  #usedBy(caller: string, nowMs: number): number {
    const usage = this.#usages.get(caller);
    return usage === undefined ? 0 : usage.ms * 2 ** ((usage.atMs - nowMs) / halfLifeMs);
  }
}
