import { LRUCache } from 'lru-cache';
import type { Priority, SearchOptions } from './engine.ts';
import { TributaryError } from '../errors/errors.ts';

interface Waiting<Item> {
  readonly item: Item;
  readonly flow: string;
  /** When it would start and end if all callers were served simultaneously with equal shares. */
  readonly start: number;
  readonly finish: number;
}

/** Requests up to this cost do not queue behind the same caller's more expensive ones. */
const smallCost = 20_000;

/** The flows remembered: a caller whose requests are older starts over like a new one. */
const maxFlows = 10_000;

/** The default priority: for writes and this server's own searches. */
const inHouse: Priority = { caller: '', cost: 1_000 };

/**
 * Start-time fair queueing (Goyal, Vin and Cheng, 1996): the caller that has been served least, by cost, is next. A
 * caller with one cheap request goes ahead of callers with many expensive ones; no caller starves. Ties keep their order.
 */
export class FairQueue<Item> {
  readonly #waiting = new Map<Item, Waiting<Item>>();
  /** The virtual end time of each caller's requests, separately for expensive and cheap ones. */
  readonly #ends = new LRUCache<string, number>({ max: maxFlows });
  #now = 0;

  get size(): number {
    return this.#waiting.size;
  }

  /** @param priority for requests made on behalf of a caller */
  add(item: Item, priority: Priority = inHouse): void {
    const { caller, cost } = priority;
    const flow = `${cost <= smallCost ? 'small' : 'expensive'} ${caller}`;
    const start = Math.max(this.#now, this.#ends.get(flow) ?? 0);
    const finish = start + cost;
    this.#ends.set(flow, finish);
    this.#waiting.set(item, { item, flow, start, finish });
  }

  /** Takes the next item among the eligible ones. */
  take(mayBe: (item: Item) => boolean = () => true): Item | undefined {
    let next: Waiting<Item> | undefined;
    for (const waiting of this.#waiting.values())
      if ((next === undefined || waiting.finish < next.finish) && mayBe(waiting.item)) next = waiting;
    if (next === undefined) return undefined;
    this.#waiting.delete(next.item);
    this.#now = Math.max(this.#now, next.start);
    return next.item;
  }

  /** Removes an item that no caller is waiting for any more: its caller was not served. */
  delete(item: Item): void {
    const waiting = this.#waiting.get(item);
    if (waiting === undefined) return;
    this.#waiting.delete(item);
    const { flow, start, finish } = waiting;
    const end = this.#ends.get(flow);
    if (end !== undefined) this.#ends.set(flow, end - (finish - start));
  }
}

/** Limits the number of expensive searches running at once, so that threads are left for others; callers are served fairly. */
export class ExpensiveSearches {
  readonly #waiting = new FairQueue<() => void>();
  readonly #atOnce: number;
  readonly #expensiveCost: number;
  #running = 0;

  /** @param expensiveCost the cost from which a search is expensive */
  constructor(atOnce: number, expensiveCost: number) {
    this.#atOnce = atOnce;
    this.#expensiveCost = expensiveCost;
  }

  /** The number of searches in the queue. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Runs a search once a slot is free.
   * @param search gets the options, with the wait deducted from `timeoutMs`
   * @throws TributaryError ENGINE_TIMEOUT when it is abandoned while waiting, or when waiting takes all of its time; errors
   *   of the search
   */
  async run<Answer>(
    options: SearchOptions,
    search: (options: SearchOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const { priority, timeoutMs } = options;
    if (priority === undefined || priority.cost < this.#expensiveCost) return search(options);
    const queuedMs = performance.now();
    await this.#acquire(priority, options);
    const leftMs = timeoutMs && Math.max(1, Math.ceil(timeoutMs - (performance.now() - queuedMs)));
    try {
      return await search(leftMs === undefined ? options : { ...options, timeoutMs: leftMs });
    } finally {
      this.#running--;
      this.#beginNext();
    }
  }

  #acquire(priority: Priority, { signal, timeoutMs }: SearchOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        settle();
        this.#running++;
        resolve();
      };
      const leave = (error: TributaryError): void => {
        settle();
        this.#waiting.delete(begin);
        reject(error);
      };
      const cancel = (): void => leave(cancelled(signal?.reason));
      const timer = timeoutMs && setTimeout(() => leave(timedOut(timeoutMs)), timeoutMs);
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
      };
      if (signal?.aborted === true) return cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      this.#waiting.add(begin, priority);
      this.#beginNext();
    });
  }

  #beginNext(): void {
    if (this.#running < this.#atOnce) this.#waiting.take()?.();
  }
}

/** The error for a search that no caller waits for any more. */
export const cancelled = (reason: unknown): TributaryError =>
  new TributaryError('ENGINE_TIMEOUT', 'the request was cancelled', { cause: reason });

const timedOut = (timeoutMs: number): TributaryError =>
  new TributaryError(
    'ENGINE_TIMEOUT',
    `no answer within ${timeoutMs} ms: other expensive searches took all of it; request less, or try again later`,
  );
