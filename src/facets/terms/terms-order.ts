import { utf8Order } from '../../engines/semantics/utf8-order.ts';

/**
 * The places of keys, largest count first, keys of one count by UTF-8 bytes. Most keys share their count with others or
 * with none: the numbers are sorted as numbers, natively, and only keys of one count are compared with each other.
 * @param counts by place, as long as `keys`
 */
export const termsOrder = (keys: readonly string[], counts: Float64Array): Int32Array => {
  const { last, before } = placesByCount(counts);
  const order = new Int32Array(keys.length);
  let next = 0;
  for (const count of Float64Array.from(last.keys()).sort().reverse()) {
    const start = next;
    for (let place = last.get(count)!; place >= 0; place = before[place]!) order[next++] = place;
    if (next - start > 1) order.subarray(start, next).sort((a, b) => utf8Order(keys[a]!, keys[b]!));
  }
  return order;
};

/** Places in a chain for each count: the last one, and before each place the one before, -1 at the end. */
const placesByCount = (
  counts: Float64Array,
): { readonly last: ReadonlyMap<number, number>; readonly before: Int32Array } => {
  const last = new Map<number, number>();
  const before = new Int32Array(counts.length);
  for (let place = 0; place < counts.length; place += 1) {
    const count = counts[place]!;
    before[place] = last.get(count) ?? -1;
    last.set(count, place);
  }
  return { last, before };
};
