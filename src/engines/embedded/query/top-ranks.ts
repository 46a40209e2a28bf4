import { compareWithCheckpoints, neverStopped, pieceMask, type Checkpoint } from '../columns/search-run.ts';

/** A place in a list of ranked positions: after a rank and, at that rank, after some of the positions. */
export interface Threshold {
  readonly rank: number;
  isPast(position: number): boolean;
}

/** Which ids to consider. */
export interface Limits {
  /** Only ids after it; null for all. */
  readonly after: Threshold | null;
  /** Only ids not past it; null for all. */
  readonly before: Threshold | null;
}

/**
 * Collects the ids that can be among the first `wanted` of an order whose first key is a rank. It tracks the worst of the
 * best ranks so far, so most ids cost one numeric comparison.
 */
export class TopRanks {
  readonly #wanted: number;
  /** The best ranks so far, the worst of them on top. */
  readonly #best: number[] = [];
  readonly #ids: number[] = [];
  readonly #ranks: number[] = [];
  /** The number of ids collected before those already ruled out are dropped. */
  #limit: number;

  constructor(wanted: number) {
    this.#wanted = wanted;
    this.#limit = roomAfter(wanted);
  }

  /**
   * Considers more ids, greater than those before.
   * @param isExact equal ranks are ordered by id
   * @param limits by positions among these ids
   */
  add(ids: Uint32Array, ranks: Float64Array, isExact: boolean, { after, before }: Limits): void {
    let worst = this.#worst;
    for (let i = 0; i < ranks.length; i++) {
      const rank = ranks[i]!;
      if (rank > worst || (rank === worst && isExact && this.#isFull)) continue;
      if (after !== null && (rank < after.rank || (rank === after.rank && !after.isPast(i)))) continue;
      if (before !== null && rank === before.rank && before.isPast(i)) continue;
      this.#ids.push(ids[i]!);
      this.#ranks.push(rank);
      this.#remember(rank);
      worst = this.#worst;
    }
    if (this.#ids.length > this.#limit) this.#dropWorse();
  }

  /** How many are collected. */
  get size(): number {
    return this.#ids.length;
  }

  /** Ascending. */
  ids(): readonly number[] {
    this.#dropWorse();
    return this.#ids;
  }

  /** Drops all but these, which must include the `wanted` best ones. */
  keep(ids: Iterable<number>): void {
    const top = new Set(ids);
    this.#retain((at) => top.has(this.#ids[at]!));
  }

  #dropWorse(): void {
    const worst = this.#worst;
    this.#retain((at) => this.#ranks[at]! <= worst);
  }

  #retain(isKept: (at: number) => boolean): void {
    let count = 0;
    for (let at = 0; at < this.#ids.length; at++) {
      if (!isKept(at)) continue;
      this.#ids[count] = this.#ids[at]!;
      this.#ranks[count] = this.#ranks[at]!;
      count++;
    }
    this.#ids.length = count;
    this.#ranks.length = count;
    this.#limit = roomAfter(count);
  }

  get #isFull(): boolean {
    return this.#best.length >= this.#wanted;
  }

  /** No larger rank can be among the first. */
  get #worst(): number {
    return this.#isFull ? (this.#best[0] ?? -Infinity) : Infinity;
  }

  #remember(rank: number): void {
    if (!this.#isFull) {
      this.#best.push(rank);
      if (this.#isFull) heapify(this.#best, ascending);
    } else if (rank < this.#worst) {
      this.#best[0] = rank;
      sink(this.#best, 0, ascending);
    }
  }
}

const ascending = (left: number, right: number): number => (left < right ? -1 : left > right ? 1 : 0);

/** Dropping scans everything kept, so at least as many must be added in between. */
const roomAfter = (count: number): number => Math.max(1 << 14, 2 * count);

/**
 * The first `size` items in the order of `compare`, as sort and slice would return them. A bounded heap keeps the best
 * so far with the worst of them on top, so most items cost one comparison.
 */
export const topK = <Item>(
  items: ArrayLike<Item>,
  size: number,
  compare: (left: Item, right: Item) => number,
  checkpoint: Checkpoint = neverStopped,
): readonly Item[] => {
  const heap: Item[] = [];
  if (size <= 0) return heap;
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    if ((i & pieceMask) === 0) checkpoint();
    if (heap.length < size) {
      heap.push(item);
      if (heap.length === size) heapify(heap, compare);
    } else if (compare(item, heap[0]!) < 0) {
      heap[0] = item;
      sink(heap, 0, compare);
    }
  }
  // for short lists the wrapper would cost more than the sort
  return heap.sort(heap.length > pieceMask ? compareWithCheckpoints(compare, checkpoint) : compare);
};

/** Puts the worst item on top, as `sink` requires. */
const heapify = <Item>(heap: Item[], compare: (left: Item, right: Item) => number): void => {
  for (let i = (heap.length >>> 1) - 1; i >= 0; i--) sink(heap, i, compare);
};

/** Sifts an item down until nothing below it is worse. */
const sink = <Item>(heap: Item[], from: number, compare: (left: Item, right: Item) => number): void => {
  const item = heap[from]!;
  let at = from;
  for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) > 0) child++;
    if (compare(heap[child]!, item) <= 0) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = item;
};
