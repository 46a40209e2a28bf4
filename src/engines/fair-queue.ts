import type { Priority } from './engine.ts';

interface Waiting<Item> {
  readonly item: Item;
  /** When it would begin and end, were all callers served at once, each with the same share. */
  readonly start: number;
  readonly finish: number;
}

/** Who asks for little does not wait behind what the same caller asks for that takes long. */
const smallCost = 20_000;

/** For what has no priority of its own: writes, and searches of this server itself. */
const inHouse: Priority = { caller: '', cost: 1_000 };

/**
 * Start-time fair queueing (Goyal, Vin and Cheng, 1996): whoever has been served least, in costs, is next. A caller
 * with one small question goes before callers with many dear ones; nobody waits for ever. Equal ones keep their order.
 */
export class FairQueue<Item> {
  readonly #waiting = new Map<Item, Waiting<Item>>();
  /** Where the questions of each caller end, dear and small ones apart. */
  readonly #ends = new Map<string, number>();
  #now = 0;

  get size(): number {
    return this.#waiting.size;
  }

  /** @param priority of what is asked for somebody */
  add(item: Item, priority: Priority = inHouse): void {
    const { caller, cost } = priority;
    const flow = `${cost <= smallCost ? 'small' : 'dear'} ${caller}`;
    const start = Math.max(this.#now, this.#ends.get(flow) ?? 0);
    const finish = start + cost;
    this.#ends.set(flow, finish);
    this.#waiting.set(item, { item, start, finish });
  }

  /** What is next among those that may be. */
  take(mayBe: (item: Item) => boolean = () => true): Item | undefined {
    let next: Waiting<Item> | undefined;
    for (const waiting of this.#waiting.values())
      if ((next === undefined || waiting.finish < next.finish) && mayBe(waiting.item)) next = waiting;
    if (next === undefined) return undefined;
    this.#waiting.delete(next.item);
    this.#now = Math.max(this.#now, next.start);
    if (this.#waiting.size === 0) this.#forget();
    return next.item;
  }

  /** Takes an item out that nobody waits for any more. */
  delete(item: Item): void {
    this.#waiting.delete(item);
  }

  /** Callers whose questions ended before now start like new ones. */
  #forget(): void {
    for (const [flow, end] of this.#ends) if (end <= this.#now) this.#ends.delete(flow);
  }
}
