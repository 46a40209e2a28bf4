import { parseFilterDate, parseFilterNanos, type DateRounding } from '../introspection/dates/dates.ts';
import { integerRange, isIntegerType, memberOf, type Field } from '../introspection/fields/field.ts';
import { addressBlock, addressDigits } from '../introspection/terms/term-forms.ts';
import { isWholeText, shownWhole } from '../lib/json/json.ts';
import type { SqonScalar } from './ast.ts';
import type { FilterValue } from './filter.ts';
import { malformed } from './malformed.ts';

/**
 * Converts a value to the field's type: numbers from their digits, integers past 2^53 as digits, booleans from their
 * names and 0/1, texts and keywords as text; dates are only checked, as what they mean depends on the end of a range.
 * @param at JSON path of the value, for the message
 * @throws TributaryError BAD_USER_INPUT when it does not fit
 */
export const fieldValue = (value: SqonScalar, field: Field, at: string): FilterValue => {
  switch (field.kind) {
    case 'number':
      return numberValue(value, field, at);
    case 'boolean':
      return booleanValue(value, field, at);
    case 'date':
      return dateValue(value, field, at);
    case 'range':
      return fieldValue(value, memberOf(field), at);
    case 'keyword':
      return field.type === 'ip' ? addressValue(value, field, at) : String(value);
    case 'text':
    case 'object':
    case 'nested':
    case 'flattened':
    case 'json':
      return String(value);
  }
};

/** Texts as values of a field, without those that it cannot hold. */
export const valuesNamed = (texts: readonly string[], field: Field): readonly FilterValue[] =>
  field.kind === 'keyword' && field.type !== 'ip'
    ? texts
    : texts.flatMap((text) => {
        try {
          return fieldValue(text, field, '');
        } catch {
          return [];
        }
      });

const misfit = (value: SqonScalar, field: Field, at: string): Error =>
  malformed(at, value, `a value for field "${field.path}" of type ${field.type}`);

const decimalNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

const numberValue = (value: SqonScalar, field: Field, at: string): FilterValue => {
  if (typeof value === 'boolean') throw misfit(value, field, at);
  if (isIntegerType(field.type)) {
    // avoids BigInt where the digits fit, and makes -0 0
    if (typeof value === 'string' && isWholeText(value))
      return value.length < 16 ? Number(value) + 0 : shownWhole(BigInt(value.replace('+', '')));
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value + 0;
    if (typeof value === 'number' && Number.isInteger(value)) return shownWhole(BigInt(value));
  }
  if (typeof value === 'string' && !decimalNumber.test(value)) throw misfit(value, field, at);
  const number = Number(value);
  if (!Number.isFinite(number)) throw misfit(value, field, at);
  return number;
};

const booleans = new Map<SqonScalar, boolean>([
  [true, true],
  ['true', true],
  [1, true],
  ['1', true],
  [false, false],
  ['false', false],
  [0, false],
  ['0', false],
]);

const booleanValue = (value: SqonScalar, field: Field, at: string): boolean => {
  const known = booleans.get(value);
  if (known === undefined) throw misfit(value, field, at);
  return known;
};

const addressValue = (value: SqonScalar, { path }: Field, at: string): FilterValue => {
  const text = String(value);
  if (addressDigits(text) !== null || addressBlock(text) !== null) return text;
  throw malformed(at, value, `an IP address, or a block such as 10.0.0.0/8, for field "${path}" of type ip`);
};

const dateValue = (value: SqonScalar, field: Field, at: string): FilterValue => {
  if (typeof value !== 'boolean' && parseFilterDate(value, field.format, 'down') !== null) return value;
  const alsoAccepted = field.format === undefined ? '' : `, or in the format ${field.format}`;
  throw malformed(
    at,
    value,
    `a date for field "${field.path}" in ISO 8601 or milliseconds since 1970${alsoAccepted}`,
  );
};

/**
 * The first or last moment of the period that a checked date value names: epoch ms; for date_nanos, digits of nanoseconds.
 */
export const momentOf = (
  value: FilterValue,
  { format, type }: Field,
  rounding: DateRounding,
  nowMs?: number,
): number | string => {
  if (typeof value === 'boolean') return 0;
  return type === 'date_nanos'
    ? String(parseFilterNanos(value, format, rounding, nowMs))
    : (parseFilterDate(value, format, rounding, nowMs) ?? 0);
};

/** From here on, numbers of these types round to infinity. */
const infinite: Readonly<Record<string, number>> = { half_float: 65_520, float: 2 ** 128 - 2 ** 103 };

/**
 * The side on which a number lies outside the field type's range, so that engines never see one they could not store.
 * A double holds every number.
 */
export const beyondType = (value: FilterValue, field: Field): 'below' | 'above' | 'within' => {
  if (field.kind !== 'number') return 'within';
  const range = integerRange(field.type);
  if (range === null) {
    const end = infinite[field.type] ?? Infinity;
    return Number(value) >= end ? 'above' : Number(value) <= -end ? 'below' : 'within';
  }
  const floor = typeof value === 'number' ? Math.floor(value) : BigInt(value);
  return floor < range.min ? 'below' : floor > range.max ? 'above' : 'within';
};

/** Whether a stored value of the field could equal this one: no integer is 1.5, no byte is 300. */
export const canEqual = (value: FilterValue, field: Field): boolean =>
  field.kind !== 'number' ||
  (beyondType(value, field) === 'within' &&
    (!isIntegerType(field.type) || typeof value !== 'number' || Number.isInteger(value)));
