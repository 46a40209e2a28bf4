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

/** Processor time of a caller's slices and searches of late, in milliseconds that halve every five seconds. */
interface Usage {
  readonly ms: number;
  readonly atMs: number;
}

const halfLifeMs = 5_000;
/** A forgotten caller starts anew. */
const maxCallers = 10_000;

/** Work that has used less is equal: cheap requests, of which there may always be new ones, are served as they come. */
const freeMs = 5;
/** What it has used beyond counts up to this, and what its caller has used beyond what a quiet one does ... */
const maxMs = 50;
const callersFreeMs = 100;
/** ... up to another as much when divided by this: else nobody's cheap request would precede costly ones. */
const callersShare = 32;
/** After waiting for so long, a slice precedes whatever arrives; after a tenth of it, that counts next to nothing. */
const longestMs = 20_000;

/**
 * Slices of work that wait for the event loop. The next is that of the work that has used least (least attained service;
 * Kleinrock, Queueing Systems II, 1976), and whose caller has: what takes little time precedes what takes much, though
 * neither is known before.
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
    this.chargeCaller(work.caller, ms, nowMs);
  }

  /** @param ms of processor time of what is not a slice */
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
