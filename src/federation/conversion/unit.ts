import type { NodeUnit } from '../config/nodes.ts';

/**
 * Converts a node's number to the network's. It never decreases as the node's number grows; for a negative factor it never
 * grows.
 */
export const converted = (number: number, { factor, offset }: NodeUnit): number =>
  scaled(number, factor) + offset;

/** A number times a factor; a factor such as 0.001 divides instead, which gives the expected decimals. */
export const scaled = (number: number, factor: number): number => {
  const divisor = Math.round(1 / factor);
  return divisor !== 0 && 1 / divisor === factor ? number / divisor : number * factor;
};

/**
 * Where a comparison divides a node's numbers: from the result on they are shown as at least `value` (`isAbove`: as more
 * than it), below it they are not; for a negative factor the other way round. Infinity if no number is.
 * @param isWhole the node has whole numbers only
 */
export const edgeAt = (value: number, isAbove: boolean, unit: NodeUnit, isWhole: boolean): number => {
  const edge = firstWhere((number) => {
    const convertedNumber = converted(number, unit);
    return (isAbove ? convertedNumber > value : convertedNumber >= value) === unit.factor > 0;
  });
  return isWhole ? Math.ceil(edge) : edge;
};

/** More numbers than this are shown as one only if an offset hides their digits. */
const maxAlike = 16;

/** The node's numbers that are shown as `value`: rarely more than one; null for so many that they are a range. */
export const ownNumbers = (value: number, unit: NodeUnit, isWhole: boolean): readonly number[] | null => {
  const edges = [false, true].map((isAbove) => edgeAt(value, isAbove, unit, isWhole));
  const [first, end] = [Math.min(...edges), Math.max(...edges)];
  const candidates: number[] = [];
  for (
    let next = first;
    next < end && candidates.length <= maxAlike;
    next = isWhole ? next + 1 : following(next)
  )
    candidates.push(next);
  return candidates.length > maxAlike ? null : candidates;
};

const following = (number: number): number => doubleAt(ordinalOf(number) + 1n);

/** The greatest of a node's numbers below an edge. */
export const below = (edge: number, isWhole: boolean): number =>
  isWhole && Number.isSafeInteger(edge) ? edge - 1 : doubleAt(ordinalOf(edge) - 1n);

/** The smallest double for which a test holds that then holds for all greater ones; Infinity if there is none. */
const firstWhere = (test: (number: number) => boolean): number => {
  let low = ordinalOf(-Number.MAX_VALUE);
  let high = ordinalOf(Infinity);
  while (low < high) {
    const middle = (low + high) >> 1n;
    if (test(doubleAt(middle))) high = middle;
    else low = middle + 1n;
  }
  return doubleAt(low);
};

const bits = new DataView(new ArrayBuffer(8));

/** Doubles as integers without gaps, in their order. */
const ordinalOf = (number: number): bigint => {
  bits.setFloat64(0, Math.abs(number));
  const size = bits.getBigInt64(0);
  return number < 0 ? -size : size;
};

const doubleAt = (ordinal: bigint): number => {
  bits.setBigInt64(0, ordinal < 0n ? -ordinal : ordinal);
  return ordinal < 0n ? -bits.getFloat64(0) : bits.getFloat64(0);
};
