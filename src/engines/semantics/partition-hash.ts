/**
 * The hashes by which search servers split the values of a field into partitions (`terms.include` with `partition` and
 * `num_partitions`): those of text with MurmurHash3 (Appleby), integers with David Stafford's 64-bit mixer, variant 9.
 * The cases of test/engines prove that both agree with real servers.
 */

/** The seed that search servers use. */
export const partitionSeed = 31;

/** MurmurHash3_x86_32 of some bytes, as a signed word. */
export const murmur3 = (bytes: Uint8Array, start: number, end: number, seed: number): number => {
  const tail = start + ((end - start) & ~3);
  let hash = seed;
  for (let at = start; at < tail; at += 4) {
    const block = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    hash ^= mixedBlock(block);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let at = end - 1; at >= tail; at -= 1) rest = (rest << 8) | bytes[at]!;
  if (tail < end) hash ^= mixedBlock(rest);
  hash ^= end - start;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
};

const mixedBlock = (block: number): number => {
  const mixed = Math.imul(block, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
};

/**
 * Mixes a 64-bit integer, given as two words.
 * @param into receives the low word, then the high one
 */
export const mix64 = (high: number, low: number, into: Uint32Array): void => {
  multiply(high, low ^ high, 0x4cd6944c, 0x5cc20b6d, into);
  const mixedLow = into[0]!;
  const mixedHigh = into[1]!;
  const shifted = (mixedHigh << 3) | (mixedLow >>> 29);
  multiply(mixedHigh ^ (mixedHigh >>> 29), mixedLow ^ shifted, 0xfc12c5b1, 0x9d3259e9, into);
  into[0]! ^= into[1]!;
};

/** The low 64 bits of a product of two unsigned integers. */
const multiply = (high: number, low: number, byHigh: number, byLow: number, into: Uint32Array): void => {
  const a = low >>> 16;
  const b = low & 0xffff;
  const c = byLow >>> 16;
  const d = byLow & 0xffff;
  const middle = a * d + ((b * d) >>> 16);
  const other = b * c + (middle & 0xffff);
  const carried = a * c + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000);
  into[0] = Math.imul(low, byLow);
  into[1] = carried + Math.imul(high, byLow) + Math.imul(low, byHigh);
};
