/**
 * The first `size` of the items in the order of `compare`, as sorting and cutting would give them. A bounded heap keeps
 * the best so far with the worst of them on top, so most items cost one comparison.
 */
export const smallest = <Item>(
  items: ArrayLike<Item>,
  size: number,
  compare: (left: Item, right: Item) => number,
): readonly Item[] => {
  const heap: Item[] = [];
  if (size <= 0) return heap;
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    if (heap.length < size) {
      heap.push(item);
      if (heap.length === size) heapify(heap, compare);
    } else if (compare(item, heap[0]!) < 0) {
      heap[0] = item;
      sink(heap, 0, compare);
    }
  }
  return heap.sort(compare);
};

/** Where a list of ranked positions is to begin: past a rank, and at that rank past some of the positions. */
export interface Threshold {
  readonly rank: number;
  isPast(position: number): boolean;
}

/**
 * The positions, ascending, that can be among the first `wanted` in an order whose first key is `ranks`. One pass keeps
 * the best ranks so far, so that most positions cost one comparison of numbers.
 * @param isExact equal ranks stand in the order of their positions
 * @param after where to begin, null for all
 */
export const leading = (
  ranks: Float64Array,
  isExact: boolean,
  wanted: number,
  after: Threshold | null,
): readonly number[] => {
  const best = new RankHeap(Math.min(wanted, ranks.length));
  let { worst } = best;
  const kept: number[] = [];
  for (let position = 0; position < ranks.length; position++) {
    const rank = ranks[position]!;
    if (rank > worst || (isExact && rank === worst && best.isFull)) continue;
    if (after !== null && (rank < after.rank || (rank === after.rank && !after.isPast(position)))) continue;
    kept.push(position);
    worst = best.add(rank);
  }
  return kept.filter((position) => ranks[position]! <= worst);
};

/** The smallest numbers of those added, a bounded heap with the worst on top. */
class RankHeap {
  readonly #size: number;
  readonly #heap: number[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  get isFull(): boolean {
    return this.#heap.length >= this.#size;
  }

  /** No larger number is among the smallest. */
  get worst(): number {
    return this.#size === 0 ? -Infinity : this.isFull ? this.#heap[0]! : Infinity;
  }

  /** Returns the worst after that. */
  add(rank: number): number {
    if (!this.isFull) {
      this.#heap.push(rank);
      if (this.isFull) heapify(this.#heap, ascending);
    } else if (rank < this.worst) {
      this.#heap[0] = rank;
      sink(this.#heap, 0, ascending);
    }
    return this.worst;
  }
}

const ascending = (left: number, right: number): number => (left < right ? -1 : left > right ? 1 : 0);

const heapify = <Item>(heap: Item[], compare: (left: Item, right: Item) => number): void => {
  for (let i = (heap.length >>> 1) - 1; i >= 0; i--) sink(heap, i, compare);
};

/** Moves an item down until nothing below it is worse. */
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
