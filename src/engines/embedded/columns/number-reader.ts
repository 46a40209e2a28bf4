import { roundToHalf } from '../../semantics/half-float.ts';
import type { JsonObject } from '../../../json.ts';

/** The values a whole-number type can hold. */
export interface IntegerRange {
  readonly least: number | bigint;
  readonly most: number | bigint;
}

const integerRanges: Readonly<Record<string, IntegerRange>> = {
  byte: { least: -128, most: 127 },
  short: { least: -32_768, most: 32_767 },
  integer: { least: -2_147_483_648, most: 2_147_483_647 },
  long: { least: -(2n ** 63n), most: 2n ** 63n - 1n },
  unsigned_long: { least: 0n, most: 2n ** 64n - 1n },
};

/** The range of a whole-number type, null for types with fractions. */
export const integerRange = (type: string): IntegerRange | null => integerRanges[type] ?? null;

/** How a type with fractions stores a number: float and half_float keep fewer bits, scaled_float whole steps. */
export const numberRounding = (type: string, property: JsonObject): ((value: number) => number) => {
  switch (type) {
    case 'float':
      return Math.fround;
    case 'half_float':
      return roundToHalf;
    case 'scaled_float': {
      const factor = Number(property['scaling_factor'] ?? 1);
      return (value) => Math.round(value * factor) / factor;
    }
    default:
      return (value) => value;
  }
};

const wholeText = /^[+-]?\d+$/;
const numberText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * A number or its text, as a bigint when it is the text of a whole number past 2^53; null when it is no number.
 */
export const readNumber = (value: string | number): number | bigint | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (!numberText.test(value)) return null;
  const number = Number(value);
  if (!wholeText.test(value) || Number.isSafeInteger(number)) return Number.isFinite(number) ? number : null;
  return BigInt(value.startsWith('+') ? value.slice(1) : value);
};
