import { isIntegerType, type IndexField } from '../../introspection/fields/field.ts';
import type { SampleHash } from '../measure.ts';

/**
 * Theta samples (Dasgupta, Lang, Rhodes, Thaler 2016): of a field's distinct values those whose hash falls into part 0
 * of N. N is a power of two, so that parts nest: samples of several nodes merge at the largest N.
 */

/** Up to this many distinct values a sample has them all. */
const maxWhole = 8_192;
/** The fewest keys that a sample should have otherwise. */
const minKeys = 4_096;
/** How many keys to request: more than there should be. */
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
}: Pick<IndexField, 'type' | 'normalized'>): SampleHash | null => {
  if (normalized === true) return null;
  if (textTypes.has(type)) return 'murmur3';
  return isIntegerType(type) && type !== 'unsigned_long' ? 'mix64' : null;
};
