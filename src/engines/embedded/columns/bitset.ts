/** One bit for each document or nested object of a level; bits past the count are always 0. */
export type Bitset = Uint32Array;

/** No bit set. */
export const emptyBitset = (count: number): Bitset => new Uint32Array((count + 31) >>> 5);

/** The first `count` bits set. */
export const fullBitset = (count: number): Bitset => {
  const bits = emptyBitset(count).fill(0xffffffff);
  clearTail(bits, count);
  return bits;
};

/** Sets the bit of a position within the count. */
export const setBit = (bits: Bitset, position: number): void => {
  bits[position >>> 5]! |= 1 << (position & 31);
};

/** Clears the bit of a position within the count. */
export const clearBit = (bits: Bitset, position: number): void => {
  bits[position >>> 5]! &= ~(1 << (position & 31));
};

/** Whether a bit is set; false past the end. */
export const hasBit = (bits: Bitset, position: number): boolean =>
  ((bits[position >>> 5] ?? 0) & (1 << (position & 31))) !== 0;

/** Sets the bits from `start` up to, not including, `end`. */
export const setRange = (bits: Bitset, start: number, end: number): void => {
  for (let position = start; position < end; position++) bits[position >>> 5]! |= 1 << (position & 31);
};

// Loops are unrolled eight times: with so little work per word, the loop overhead would cost more than the work.

/** target = target AND other. */
export const intersect = (target: Bitset, other: Bitset): void => {
  const whole = target.length & ~7;
  for (let word = 0; word < whole; word += 8) {
    target[word]! &= other[word]!;
    target[word + 1]! &= other[word + 1]!;
    target[word + 2]! &= other[word + 2]!;
    target[word + 3]! &= other[word + 3]!;
    target[word + 4]! &= other[word + 4]!;
    target[word + 5]! &= other[word + 5]!;
    target[word + 6]! &= other[word + 6]!;
    target[word + 7]! &= other[word + 7]!;
  }
  for (let word = whole; word < target.length; word++) target[word]! &= other[word]!;
};

/** target = target OR other. */
export const unite = (target: Bitset, other: Bitset): void => {
  const whole = target.length & ~7;
  for (let word = 0; word < whole; word += 8) {
    target[word]! |= other[word]!;
    target[word + 1]! |= other[word + 1]!;
    target[word + 2]! |= other[word + 2]!;
    target[word + 3]! |= other[word + 3]!;
    target[word + 4]! |= other[word + 4]!;
    target[word + 5]! |= other[word + 5]!;
    target[word + 6]! |= other[word + 6]!;
    target[word + 7]! |= other[word + 7]!;
  }
  for (let word = whole; word < target.length; word++) target[word]! |= other[word]!;
};

/** The unset bits among the first `count`. */
export const complement = (bits: Bitset, count: number): Bitset => {
  const result = new Uint32Array(bits.length);
  for (let word = 0; word < bits.length; word++) result[word] = ~bits[word]!;
  clearTail(result, count);
  return result;
};

/** How many bits are set. */
export const countBits = (bits: Bitset): number => {
  let total = 0;
  for (let word = 0; word < bits.length; word++) total += bitsInWord(bits[word]!);
  return total;
};

/** The positions of the set bits, ascending. */
export const listBits = (bits: Bitset): Uint32Array => {
  const list = new Uint32Array(countBits(bits));
  listFrom(bits, 0, list);
  return list;
};

/**
 * The positions of the set bits from a word on, ascending, as many whole words as there is room for.
 * @param list receives them; with room for at least one word
 * @returns how many there are, and the first word that is not listed
 */
export const listFrom = (
  bits: Bitset,
  from: number,
  list: Uint32Array,
): { readonly length: number; readonly next: number } => {
  let end = 0;
  let word = from;
  for (; word < bits.length; word++) {
    const start = end;
    const base = word << 5;
    let rest = bits[word]!;
    end += bitsInWord(rest);
    if (end > list.length) return { length: start, next: word };
    if (end - start === 32) {
      for (let bit = 0; bit < 32; bit++) list[start + bit] = base + bit;
      continue;
    }
    // from the highest bit down: a single instruction finds it
    for (let at = end - 1; at >= start; at--) {
      const above = Math.clz32(rest);
      list[at] = base + 31 - above;
      rest &= 0x7fffffff >>> above;
    }
  }
  return { length: end, next: word };
};

const clearTail = (bits: Bitset, count: number): void => {
  if ((count & 31) !== 0) bits[bits.length - 1]! &= (1 << (count & 31)) - 1;
};

/** Counts the bits of a word in parallel (Hacker's Delight, 5-1). */
const bitsInWord = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};
