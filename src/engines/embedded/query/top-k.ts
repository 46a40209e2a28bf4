import { compareWithCheckpoints, neverStopped, pieceMask, type Checkpoint } from '../columns/checkpoint.ts';

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
export const heapify = <Item>(heap: Item[], compare: (left: Item, right: Item) => number): void => {
  for (let i = (heap.length >>> 1) - 1; i >= 0; i--) sink(heap, i, compare);
};

/** Sifts an item down until nothing below it is worse. */
export const sink = <Item>(
  heap: Item[],
  from: number,
  compare: (left: Item, right: Item) => number,
): void => {
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
