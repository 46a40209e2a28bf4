import { parseDate, type DateRounding } from '../../../introspection/dates/dates.ts';
import { integerRange, isIntegerType, memberType } from '../../../introspection/fields/field.ts';
import { addressBlock, addressDigits, addressOfDigits } from '../../../introspection/terms/term-forms.ts';
import type { JsonObject, JsonValue } from '../../../lib/json/json.ts';
import { boundNames, type BoundName, type RangeBound, type RangeBounds } from '../../../sqon/filter.ts';
import { numberRounding, readNumber } from '../../semantics/stored-numbers.ts';

/** A number, or a whole one for integers, dates (epoch ms) and addresses. */
type End = number | bigint;

/** Both ends are part of it; null where it is open. */
export interface ValueRange {
  readonly low: End | null;
  readonly high: End | null;
}

/** A document's value of a range field as a text; null if it is malformed. */
export const rangeText = (type: string, property: JsonObject, value: JsonValue): string | null => {
  const ends = endsOf(type, value);
  const range = ends && rangeBetween(type, property, ends, false);
  if (range === null || (range.low !== null && range.high !== null && range.low > range.high)) return null;
  return `${range.low ?? ''}~${range.high ?? ''}`;
};

/** The range of a text. */
export const rangeOfText = (type: string, text: string): ValueRange => {
  const read = isFraction(memberType(type)!) ? Number : BigInt;
  const [low, high] = text.split('~').map((end) => (end === '' ? null : read(end)));
  return { low: low ?? null, high: high ?? null };
};

export const overlap = (a: ValueRange, b: ValueRange): boolean =>
  isUpTo(a.low, b.high) && isUpTo(b.low, a.high);

const isUpTo = (low: End | null, high: End | null): boolean => low === null || high === null || low <= high;

const endsOf = (type: string, value: JsonValue): RangeBounds | null => {
  if (typeof value === 'string') {
    const block = type === 'ip_range' ? addressBlock(value) : null;
    return block && { gte: addressOfDigits(block[0]), lte: addressOfDigits(block[1]) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const entries = Object.entries(value).filter(([, end]) => end !== null);
  const areEnds = entries.every(
    ([name, end]) =>
      boundNames.some((bound) => bound === name) && (typeof end === 'string' || typeof end === 'number'),
  );
  return areEnds ? (Object.fromEntries(entries) as RangeBounds) : null;
};

/**
 * @param isQuery whether dates extend to the end of the period that they cover: in documents they are its start
 * @returns null for an end that is not a value of the type
 */
export const rangeBetween = (
  type: string,
  property: JsonObject,
  ends: RangeBounds,
  isQuery: boolean,
): ValueRange | null => {
  const read = (name: BoundName): End | null | undefined => {
    const bound = ends[name];
    if (bound === undefined) return undefined;
    const rounding = isQuery && (name === 'gt' || name === 'lte') ? 'up' : 'down';
    // in a filter, the number of a date is milliseconds whatever the format
    const isMs = isQuery && type === 'date_range' && typeof bound === 'number';
    const end = isMs ? BigInt(bound) : endOf(memberType(type)!, property, bound, rounding);
    return end === null || name.endsWith('e') ? end : beside(end, name === 'gt' ? 1 : -1);
  };
  const [gt, gte, lt, lte] = boundNames.map(read);
  if ([gt, gte, lt, lte].includes(null)) return null;
  return { low: stricter(gt, gte, 1), high: stricter(lt, lte, -1) };
};

const stricter = (a: End | null | undefined, b: End | null | undefined, side: 1 | -1): End | null => {
  if (a == null || b == null) return a ?? b ?? null;
  return a > b === side > 0 ? a : b;
};

const isFraction = (member: string): boolean => member === 'float' || member === 'double';

const endOf = (
  member: string,
  property: JsonObject,
  bound: RangeBound,
  rounding: DateRounding,
): End | null => {
  if (member === 'ip') {
    const digits = addressDigits(String(bound));
    return digits === null ? null : BigInt(`0x${digits}`);
  }
  if (member === 'date') {
    const format = typeof property['format'] === 'string' ? property['format'] : undefined;
    const ms = parseDate(bound, format, rounding);
    return ms === null ? null : BigInt(ms);
  }
  const number = readNumber(bound);
  if (number === null) return null;
  if (!isIntegerType(member)) return numberRounding(member, property)(Number(number));
  const whole = typeof number === 'bigint' ? number : BigInt(Math.trunc(number));
  const { min, max } = integerRange(member)!;
  return whole >= min && whole <= max ? whole : null;
};

const beside = (end: End, direction: 1 | -1): End =>
  typeof end === 'bigint' ? end + BigInt(direction) : nextDouble(end, direction);

/** The nearest double above (1) or below (-1). */
export const nextDouble = (value: number, direction: 1 | -1): number => {
  if (!Number.isFinite(value)) return value;
  if (value === 0) return direction * Number.MIN_VALUE;
  const bits = new BigInt64Array(1);
  const doubles = new Float64Array(bits.buffer);
  doubles[0] = value;
  // the bits of doubles of the same sign sort by magnitude
  bits[0]! += value > 0 === direction > 0 ? 1n : -1n;
  return doubles[0]!;
};
