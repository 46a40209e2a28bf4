import { LRUCache } from 'lru-cache';
import type { Priority } from './engine.ts';

interface Waiting<Item> {
  readonly item: Item;
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
 * caller with one cheap request goes ahead of callers with many expensive ones; nobody starves. Ties keep their order.
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
    this.#waiting.set(item, { item, start, finish });
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

  /** Removes an item nobody is waiting for any more. */
  delete(item: Item): void {
    this.#waiting.delete(item);
  }
}
