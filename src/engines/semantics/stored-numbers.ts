import type { JsonObject } from '../../lib/json/json.ts';
import { roundToHalf } from './bucket-key.ts';

/** How a fractional type stores a number: float and half_float keep fewer bits, scaled_float whole steps. */
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

/** Reads a number or its text, as a bigint for the text of an integer past 2^53; null if it is not a number. */
export const readNumber = (value: string | number): number | bigint | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (!numberText.test(value)) return null;
  const number = Number(value);
  if (!wholeText.test(value) || Number.isSafeInteger(number)) return Number.isFinite(number) ? number : null;
  return BigInt(value.startsWith('+') ? value.slice(1) : value);
};
