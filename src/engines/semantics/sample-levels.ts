import type { DistinctSample, SampleHash } from '../measure.ts';
import { isIntegerType, type IndexField } from '../../introspection/fields/field.ts';

/**
 * How keys are written. They are grouped by the trailing zero bits of their hash, from log2 N on: a merge at a
 * larger N drops the first groups. Within a group they ascend; each is written without these zero bits, as the
 * difference from the one before, in groups of 7 bits from the lowest, the eighth bit saying that more follow. Base64.
 */

/** The last group has all keys with this many trailing zero bits, or more. */
const lastLevel = 30;

/** The most characters of all groups together. */
const maxCharacters = 96 * 1024;

/** The keys as groups. @param keys ascending, of part 0 of `parts`; null when they are too many to be written */
export const encodeLevels = (keys: BigUint64Array, parts: number): readonly string[] | null => {
  const first = Math.log2(parts);
  const writers: LevelWriter[] = [];
  for (const key of keys) {
    const level = levelOf(Number(key & 0xffffffffn));
    for (let next = writers.length; next <= level - first; next += 1) writers.push(new LevelWriter());
    const written = key >> BigInt(level);
    writers[level - first]!.write(Number(written >> 32n), Number(written & 0xffffffffn));
  }
  const levels = writers.map((writer) => writer.text());
  return levels.reduce((sum, { length }) => sum + length, 0) <= maxCharacters ? levels : null;
};

const levelOf = (low: number): number => {
  const zeros = low === 0 ? 32 : 31 - Math.clz32(low & -low);
  return Math.min(lastLevel, zeros);
};

class LevelWriter {
  #bytes = Buffer.allocUnsafe(1024);
  #length = 0;
  #high = 0;
  #low = 0;

  write(high: number, low: number): void {
    if (this.#length + 10 > this.#bytes.length) this.#grow();
    let less = low - this.#low;
    let more = high - this.#high;
    if (less < 0) {
      less += 2 ** 32;
      more -= 1;
    }
    while (more > 0 || less > 127) {
      this.#bytes[this.#length++] = (less & 127) | 128;
      less = ((less >>> 7) | ((more & 127) << 25)) >>> 0;
      more >>>= 7;
    }
    this.#bytes[this.#length++] = less;
    this.#high = high;
    this.#low = low;
  }

  text(): string {
    return this.#bytes.toString('base64', 0, this.#length);
  }

  #grow(): void {
    const larger = Buffer.allocUnsafe(2 * this.#bytes.length);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/**
 * Calls `visit` with the keys of a sample that fall into part 0 of `parts`, as unsigned words.
 * @param parts at least as many as the sample's own
 */
export const forEachKey = (
  { parts: own, levels }: DistinctSample,
  parts: number,
  visit: (high: number, low: number) => void,
): void => {
  const first = Math.log2(own);
  for (let at = Math.log2(parts) - first; at < levels.length; at += 1)
    readLevel(Buffer.from(levels[at]!, 'base64'), first + at, visit);
};

const readLevel = (bytes: Buffer, zeros: number, visit: (high: number, low: number) => void): void => {
  let high = 0;
  let low = 0;
  let at = 0;
  while (at < bytes.length) {
    let byte = bytes[at++]!;
    let less = byte & 127;
    let more = 0;
    // most differences take eight bytes: the first four fit into one word
    for (let shift = 7; byte > 127 && shift < 28; shift += 7) {
      byte = bytes[at++]!;
      less |= (byte & 127) << shift;
    }
    if (byte > 127) {
      byte = bytes[at++]!;
      less |= byte << 28;
      more = (byte & 127) >>> 4;
      for (let shift = 3; byte > 127; shift += 7) {
        byte = bytes[at++]!;
        more |= (byte & 127) << shift;
      }
    }
    const sum = low + (less >>> 0);
    high = (high + (more >>> 0) + (sum > 0xffffffff ? 1 : 0)) >>> 0;
    low = sum >>> 0;
    if (zeros === 0) visit(high, low);
    else visit(((high << zeros) | (low >>> (32 - zeros))) >>> 0, (low << zeros) >>> 0);
  }
};

/** How many keys such texts hold; null when they are not ours. */
export const keysIn = (levels: readonly string[], parts: number): number | null => {
  const characters = levels.reduce((sum, { length }) => sum + length, 0);
  if (characters > maxCharacters || levels.length > lastLevel + 1 - Math.log2(parts)) return null;
  let keys = 0;
  for (const level of levels) {
    const bytes = Buffer.from(level, 'base64');
    if (bytes.toString('base64') !== level || (bytes.length > 0 && bytes.at(-1)! > 127)) return null;
    for (const byte of bytes) if (byte < 128) keys += 1;
  }
  return keys;
};

/**
 * Theta samples (Dasgupta, Lang, Rhodes, Thaler 2016): the distinct values of a field whose hash falls into part 0
 * of N. N is a power of two, so that parts nest: samples of several nodes merge at the largest N.
 */

/** Up to this many distinct values a sample has them all. */
const maxWhole = 8_192;
/** The fewest keys that a sample of more values should have. */
const minKeys = 4_096;
/** The number of keys to request: more than there should be. */
export const maxRequested = 16_384;
/** Values of a field beyond which the search servers would work for too long. */
export const maxTerms = 20_000_000;
/** The limit on parts: 2^30 of them, the most that search servers know. */
export const maxParts = 2 ** 30;

/** The number of parts of which one is sampled. @param distinct how many distinct values there are */
export const partsFor = (distinct: number): number => {
  if (distinct <= maxWhole) return 1;
  let parts = 2;
  while (parts < maxParts && distinct >= 2 * parts * minKeys) parts *= 2;
  return parts;
};

const textTypes: ReadonlySet<string> = new Set(['keyword', 'constant_keyword', 'wildcard']);

/**
 * How the values of a field are hashed; null where nodes could not agree: dates and fractions are printed differently,
 * normalised keywords are changed by each index, and unsigned_long has its own partitions.
 */
export const sampleHash = ({
  type,
  normalized,
  keyOf,
}: Pick<IndexField, 'type' | 'normalized' | 'keyOf'>): SampleHash | null => {
  if (normalized === true || keyOf !== undefined) return null;
  if (textTypes.has(type)) return 'murmur3';
  return isIntegerType(type) && type !== 'unsigned_long' ? 'mix64' : null;
};
