import { utf8Order } from '../../engines/semantics/utf8-order.ts';

/**
 * Orders keys by descending count, and keys of equal count by UTF-8 bytes. Counts are typically either shared by many
 * keys or unique: the numbers are sorted natively as numbers, and only keys of equal count are compared with each
 * other.
 * @param counts by index, as long as `keys`
 */
export const termsOrder = (keys: readonly string[], counts: Float64Array): Int32Array => {
  const { last, before } = indexesByCount(counts);
  const order = new Int32Array(keys.length);
  let next = 0;
  for (const count of Float64Array.from(last.keys()).sort().reverse()) {
    const start = next;
    for (let index = last.get(count)!; index >= 0; index = before[index]!) order[next++] = index;
    if (next - start > 1) order.subarray(start, next).sort((a, b) => utf8Order(keys[a]!, keys[b]!));
  }
  return order;
};

/** A linked list of indexes for each count: the last one, and for each index the previous one, -1 at the end. */
const indexesByCount = (
  counts: Float64Array,
): { readonly last: ReadonlyMap<number, number>; readonly before: Int32Array } => {
  const last = new Map<number, number>();
  const before = new Int32Array(counts.length);
  for (let index = 0; index < counts.length; index += 1) {
    const count = counts[index]!;
    before[index] = last.get(count) ?? -1;
    last.set(count, index);
  }
  return { last, before };
};
