import { badUserInput } from '../../../../lib/errors/errors.ts';
import { isIntegerType } from '../../../../introspection/fields/field.ts';
import type { FilterValue, RangeBound, RangeBounds } from '../../../../sqon/filter.ts';
import { numberRounding, readNumber } from '../../../semantics/stored-numbers.ts';
import type { Column } from '../../columns/nested-level.ts';
import { nextDouble } from '../../columns/range-value.ts';

/** Values from `low` to `high`, inclusive. The bigints are the exact bounds, for columns with longs past 2^53. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly exactLow: bigint | null;
  readonly exactHigh: bigint | null;
}

/**
 * The bounds of a range filter on a number or date column.
 * @throws TributaryError BAD_USER_INPUT for a bound that is not a number
 */
export const intervalOf = (column: Column, bounds: RangeBounds): Interval => {
  let interval = everything;
  if (bounds.gte !== undefined) interval = meet(interval, atLeast(boundOf(column, bounds.gte)));
  if (bounds.gt !== undefined) interval = meet(interval, above(boundOf(column, bounds.gt)));
  if (bounds.lte !== undefined) interval = meet(interval, atMost(boundOf(column, bounds.lte)));
  if (bounds.lt !== undefined) interval = meet(interval, below(boundOf(column, bounds.lt)));
  return interval;
};

/** The values equal to one value of a terms filter; null if the field cannot have any. */
export const intervalOfTerm = (column: Column, value: FilterValue): Interval | null => {
  if (typeof value === 'boolean') return null;
  const number = readNumber(value);
  if (number === null) return null;
  // equality compares with the value as it would be stored, even for types whose bounds are not rounded
  const bound = typeof number === 'bigint' ? number : numberRounding(column.type, column.property)(number);
  if (isIntegerType(column.type) && typeof bound === 'number' && !Number.isInteger(bound)) return null;
  return meet(atLeast(bound), atMost(bound));
};

const boundOf = (column: Column, bound: RangeBound): number | bigint => {
  const number = readNumber(bound);
  if (number !== null) return rounded(column, number);
  throw badUserInput(
    `${JSON.stringify(bound)} is not a ${column.fieldKind} that can bound field ${column.path}`,
  );
};

/** A bound as the field would store it: floats compare as floats, scaled_float bounds may lie between steps. */
const rounded = (column: Column, number: number | bigint): number | bigint => {
  if (typeof number === 'bigint' || column.type === 'scaled_float') return number;
  return numberRounding(column.type, column.property)(number);
};

/** All numbers. */
export const everything: Interval = { low: -Infinity, high: Infinity, exactLow: null, exactHigh: null };

const atLeast = (bound: number | bigint): Interval => ({
  ...everything,
  low: Number(bound),
  exactLow: typeof bound === 'bigint' ? bound : wholeOf(Math.ceil(bound)),
});

const atMost = (bound: number | bigint): Interval => ({
  ...everything,
  high: Number(bound),
  exactHigh: typeof bound === 'bigint' ? bound : wholeOf(Math.floor(bound)),
});

const above = (bound: number | bigint): Interval => ({
  ...everything,
  low: nextDouble(Number(bound), 1),
  exactLow: typeof bound === 'bigint' ? bound + 1n : wholeOf(Math.floor(bound) + 1, Math.floor(bound), 1n),
});

const below = (bound: number | bigint): Interval => ({
  ...everything,
  high: nextDouble(Number(bound), -1),
  exactHigh: typeof bound === 'bigint' ? bound - 1n : wholeOf(Math.ceil(bound) - 1, Math.ceil(bound), -1n),
});

/** A whole number as a bigint; past 2^53 adding one must happen after the conversion. */
const wholeOf = (value: number, base = value, step = 0n): bigint | null =>
  Number.isFinite(value) ? BigInt(base) + step : null;

const meet = (left: Interval, right: Interval): Interval => ({
  low: Math.max(left.low, right.low),
  high: Math.min(left.high, right.high),
  exactLow: larger(left.exactLow, right.exactLow),
  exactHigh: smaller(left.exactHigh, right.exactHigh),
});

const larger = (left: bigint | null, right: bigint | null): bigint | null =>
  left === null ? right : right === null || left > right ? left : right;

const smaller = (left: bigint | null, right: bigint | null): bigint | null =>
  left === null ? right : right === null || left < right ? left : right;
