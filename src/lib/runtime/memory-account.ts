import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { TributaryError } from '../errors/errors.ts';

/** A request that holds memory. */
export interface Holder {
  /** The name of the caller that made it. */
  readonly caller: string;
  /** Whether it holds its memory only because its client is slow. */
  readonly isStalled: () => boolean;
  /** Ends the holder, which frees its memory for others. */
  readonly drop: () => void;
}

/** The memory that one request holds. */
export interface HeldMemory {
  /** Holds that many bytes more. @throws TributaryError NOT_READY when they do not fit */
  readonly add: (bytes: number) => void;
  /** Raises the total to that many bytes, if it is lower. @throws as add */
  readonly raiseTo: (bytes: number) => void;
  /** Holds that many bytes more for work that has begun: never refused, but it counts against others. */
  readonly use: (bytes: number) => void;
  /** The client sent or read that many bytes. */
  readonly onProgress: (bytes: number) => void;
  /** A part of the memory that can be freed earlier. */
  readonly part: () => HeldMemory;
  /** Frees the memory, with all of its parts. */
  readonly end: () => void;
}

/** A client that sent or read less than this within stalledMs may be dropped. */
const minProgressBytes = 16 * 1024;
const stalledMs = 2_000;

const shareOfCaller = 3 / 4;

/** @param used by all, with the request's own */
const isWithin = (limit: number, used: number, own: number, more: number): boolean =>
  used + more <= limit || used - own <= limit / 2;

const refused = (): TributaryError =>
  new TributaryError(
    'NOT_READY',
    'requests in progress take up all memory that is kept for them; try again soon',
    { details: { retryAfterSeconds: 2 } },
  );

/**
 * Bounds the memory that all requests together make the server hold, of which those of one caller may hold three quarters.
 * Where either is full, holders whose clients stall are dropped, those stalled longest first. One request at a time may
 * exceed a limit while the others hold less than half of it: it is bounded by the limits of a single request.
 */
export class MemoryAccount {
  readonly maxBytes: number;
  /** How often memory was refused, and how many holders were dropped to make room. */
  refusals = 0;
  drops = 0;
  #usedBytes = 0;
  readonly #bytesOf = new Map<string, number>();
  /** In the order of their last progress. */
  readonly #holdings = new Set<Holding>();

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  open(holder: Holder): HeldMemory {
    const holding: Holding = { holder, bytes: 0, progressBytes: 0, progressMs: performance.now() };
    this.#holdings.add(holding);
    return this.#heldBy(holding, () => this.#end(holding));
  }

  #heldBy(holding: Holding, end: (bytes: number) => void): HeldMemory {
    let own = 0;
    const use = (bytes: number): void => {
      this.#change(holding, bytes);
      own += bytes;
    };
    const add = (bytes: number): void => {
      this.#makeRoom(bytes, holding);
      use(bytes);
    };
    return {
      add,
      use,
      raiseTo: (bytes) => {
        if (bytes > holding.bytes) add(bytes - holding.bytes);
      },
      onProgress: (bytes) => this.#onProgress(holding, bytes),
      part: () => this.#heldBy(holding, (bytes) => this.#change(holding, -bytes)),
      end: () => {
        end(own);
        own = 0;
      },
    };
  }

  /** A holder that has ended holds nothing more. */
  #change(holding: Holding, bytes: number): void {
    if (!this.#holdings.has(holding)) return;
    const { caller } = holding.holder;
    const ofCaller = this.#usedBy(caller) + bytes;
    holding.bytes += bytes;
    this.#usedBytes += bytes;
    if (ofCaller === 0) this.#bytesOf.delete(caller);
    else this.#bytesOf.set(caller, ofCaller);
  }

  #end(holding: Holding): void {
    this.#change(holding, -holding.bytes);
    this.#holdings.delete(holding);
  }

  #usedBy(caller: string): number {
    return this.#bytesOf.get(caller) ?? 0;
  }

  /** Whether they fit into what all may hold. */
  #fitsAll(bytes: number, { bytes: own }: Holding): boolean {
    return isWithin(this.maxBytes, this.#usedBytes, own, bytes);
  }

  /** Whether they fit into what all may hold, and into what its caller may. */
  #fits(bytes: number, holding: Holding): boolean {
    const ofCaller = this.#usedBy(holding.holder.caller);
    const isCallersOwn = isWithin(this.maxBytes * shareOfCaller, ofCaller, holding.bytes, bytes);
    return isCallersOwn && this.#fitsAll(bytes, holding);
  }

  /** @throws TributaryError NOT_READY */
  #makeRoom(bytes: number, holding: Holding): void {
    if (!this.#fits(bytes, holding)) this.#dropStalled(bytes, holding);
    if (this.#fits(bytes, holding)) return;
    this.refusals += 1;
    throw refused();
  }

  #dropStalled(bytes: number, holding: Holding): void {
    const latestMs = performance.now() - stalledMs;
    for (const other of this.#holdings) {
      if (this.#fits(bytes, holding) || other.progressMs > latestMs) return;
      if (other === holding || other.bytes === 0 || !other.holder.isStalled()) continue;
      if (this.#fitsAll(bytes, holding) && other.holder.caller !== holding.holder.caller) continue;
      this.drops += 1;
      this.#end(other);
      other.holder.drop();
    }
  }

  #onProgress(holding: Holding, bytes: number): void {
    holding.progressBytes += bytes;
    if (holding.progressBytes < minProgressBytes || !this.#holdings.delete(holding)) return;
    holding.progressBytes = 0;
    holding.progressMs = performance.now();
    this.#holdings.add(holding);
  }
}

/** The memory of one holder, and since when its client has made no progress. */
interface Holding {
  readonly holder: Holder;
  bytes: number;
  progressBytes: number;
  progressMs: number;
}

/**
 * How much memory is kept for requests: a quarter of what this process may use, and at most half of the JavaScript
 * heap, which V8 fits to the container.
 * @param limitBytes the memory that the process may use; undefined: all of the container or the machine
 */
export const memoryForRequests = (limitBytes: number | undefined): number => {
  // 0 or more than the machine's memory: no limit
  const constrained = process.constrainedMemory() || Infinity;
  const available = Math.min(limitBytes ?? Infinity, constrained, totalmem());
  return Math.floor(Math.min(available / 4, getHeapStatistics().heap_size_limit / 2));
};
