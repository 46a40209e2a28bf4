import { parseDate, parseNanos } from '../../../introspection/dates/dates.ts';
import { integerRange, kindOf } from '../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { flattenedReader } from './flattened.ts';
import { rangeText } from './range-value.ts';
import { constantOf, type TermForm } from '../../../introspection/terms/term-forms.ts';
import { tokensOf } from '../../semantics/analyser.ts';
import { numberRounding, readNumber } from '../../semantics/stored-numbers.ts';

export type Scalar = string | number | boolean;
/** A value for a column: strings for keyword columns, numbers (bigint past 2^53) for number columns. */
export type Staged = string | number | bigint;

/** Converts a document's value for the column; undefined for no value, null if it is malformed. */
export type ValueReader = (value: Scalar | JsonObject) => Staged | readonly Staged[] | undefined | null;

/**
 * The reader for values of a mapped field; it applies the mapping's ignore_above, ignore_malformed, coerce and format.
 * @param form how the field's strings are kept
 */
export const valueReader = (type: string, property: JsonObject, form?: TermForm): ValueReader => {
  const read = strictReader(type, property, form);
  return property['ignore_malformed'] === true ? (value) => read(value) ?? undefined : read;
};

const strictReader = (type: string, property: JsonObject, form: TermForm | undefined): ValueReader => {
  if (kindOf(type) === 'flattened') return flattenedReader(property, false);
  if (kindOf(type) === 'range') return (value) => rangeText(type, property, value);
  const read = scalarReader(type, property, form);
  return (value) => (typeof value === 'object' ? null : read(value));
};

/** For values other than objects. */
type ScalarReader = (value: Scalar) => ReturnType<ValueReader>;

const scalarReader = (type: string, property: JsonObject, form: TermForm | undefined): ScalarReader => {
  switch (kindOf(type)) {
    case 'number':
      return numberReader(type, property);
    case 'date':
      return type === 'date_nanos' ? nanosReader(property) : dateReader(property);
    case 'boolean':
      return readBoolean;
    case 'text':
      return readText;
    case 'keyword':
    case 'range':
    case 'flattened':
    case 'object':
    case 'nested':
    case 'json':
      return keywordReader(property, form);
  }
};

/** A text without words still counts as a value: its only token is the empty string, which no filter matches. */
export const noWord = '';

const readText: ScalarReader = (value) => {
  const tokens = tokensOf(String(value));
  return tokens.length > 0 ? tokens : noWord;
};

const keywordReader = (property: JsonObject, form: TermForm | undefined): ScalarReader => {
  const constant = constantOf(property);
  const maxLength = typeof property['ignore_above'] === 'number' ? property['ignore_above'] : Infinity;
  return (value) => {
    const text = String(value);
    if (constant !== undefined) return text === constant ? text : null;
    return text.length > maxLength ? undefined : form === undefined ? text : form.term(text);
  };
};

const numberReader = (type: string, property: JsonObject): ScalarReader => {
  const range = integerRange(type);
  const round = numberRounding(type, property);
  const coerce = property['coerce'] !== false;
  const read: ScalarReader = (value) => {
    if (typeof value === 'boolean' || (typeof value === 'string' && !coerce)) return null;
    const number = readNumber(value);
    if (number === null) return null;
    if (range === null) {
      const rounded = round(Number(number));
      return Number.isFinite(rounded) ? rounded : null;
    }
    if (!coerce && typeof number === 'number' && !Number.isInteger(number)) return null;
    const whole = typeof number === 'number' ? Math.trunc(number) : number;
    return whole >= range.min && whole <= range.max ? exactWhole(whole) : null;
  };
  if (!coerce) return read;
  // an empty string counts as null
  const nullValue = property['null_value'];
  const ofEmpty = typeof nullValue === 'number' || typeof nullValue === 'string' ? read(nullValue) : null;
  return (value) => (value === '' ? (ofEmpty ?? undefined) : read(value));
};

/** An integer as the column takes it: a bigint where a double may be inexact. */
const exactWhole = (whole: number | bigint): number | bigint =>
  typeof whole === 'number' && !Number.isSafeInteger(whole) ? BigInt(whole) : whole;

const dateReader = (property: JsonObject): ScalarReader => {
  const format = typeof property['format'] === 'string' ? property['format'] : undefined;
  return (value) => {
    if (typeof value === 'boolean' || isDateMath(value)) return null;
    return parseDate(value, format, 'down');
  };
};

/** Nanoseconds from 1970 on, as far as 64 bits reach. */
const nanosReader = (property: JsonObject): ScalarReader => {
  const format = typeof property['format'] === 'string' ? property['format'] : undefined;
  return (value) => {
    if (typeof value === 'boolean' || isDateMath(value)) return null;
    const nanos = parseNanos(value, format);
    return nanos !== null && nanos >= 0n && nanos < 2n ** 63n ? nanos : null;
  };
};

/** Date maths is only valid in queries; in a document it is malformed. */
const isDateMath = (value: string | number): boolean =>
  typeof value === 'string' && (value.startsWith('now') || value.includes('||'));

/** Booleans are true, false or their names; the empty string is false, as in Elasticsearch. */
const readBoolean: ScalarReader = (value) => {
  if (value === true || value === 'true') return '1';
  if (value === false || value === 'false' || value === '') return '0';
  return null;
};
