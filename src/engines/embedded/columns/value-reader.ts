import { parseDate, parseNanos } from '../../../introspection/dates/dates.ts';
import { kindOf } from '../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../json/json.ts';
import { lowerCase } from '../../../introspection/terms/normalizer.ts';
import { constantOf, type TermForm } from '../../../introspection/terms/term-forms.ts';
import { integerRange, numberRounding, readNumber } from '../../semantics/stored-numbers.ts';

export type Scalar = string | number | boolean;
/** A value for a column: strings for keyword columns, numbers (bigint past 2^53) for number columns. */
export type Staged = string | number | bigint;

/** Converts a document's value for the column; undefined for no value, null if it is malformed. */
export type ValueReader = (value: Scalar) => Staged | readonly Staged[] | undefined | null;

/**
 * The reader for values of a mapped field; it applies the mapping's ignore_above, ignore_malformed, coerce and format.
 * @param form of the field's strings
 */
export const valueReader = (type: string, property: JsonObject, form?: TermForm): ValueReader => {
  const read = strictReader(type, property, form);
  return property['ignore_malformed'] === true ? (value) => read(value) ?? undefined : read;
};

const strictReader = (type: string, property: JsonObject, form: TermForm | undefined): ValueReader => {
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
    case 'object':
    case 'nested':
    case 'json':
      return keywordReader(property, form);
  }
};

/** A text without words still counts as a value: its only token is the empty string, which no filter matches. */
export const noWord = '';

const readText: ValueReader = (value) => {
  const tokens = tokensOf(String(value));
  return tokens.length > 0 ? tokens : noWord;
};

const keywordReader = (property: JsonObject, form: TermForm | undefined): ValueReader => {
  const constant = constantOf(property);
  const maxLength = typeof property['ignore_above'] === 'number' ? property['ignore_above'] : Infinity;
  return (value) => {
    const text = String(value);
    if (constant !== undefined) return text === constant ? text : null;
    return text.length > maxLength ? undefined : form === undefined ? text : form.term(text);
  };
};

const numberReader = (type: string, property: JsonObject): ValueReader => {
  const range = integerRange(type);
  const round = numberRounding(type, property);
  const coerce = property['coerce'] !== false;
  const read: ValueReader = (value) => {
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

const dateReader = (property: JsonObject): ValueReader => {
  const format = typeof property['format'] === 'string' ? property['format'] : undefined;
  return (value) => {
    if (typeof value === 'boolean' || isDateMath(value)) return null;
    return parseDate(value, format, 'down');
  };
};

/** Nanoseconds from 1970 on, as far as 64 bits reach. */
const nanosReader = (property: JsonObject): ValueReader => {
  const format = typeof property['format'] === 'string' ? property['format'] : undefined;
  return (value) => {
    if (typeof value === 'boolean' || isDateMath(value)) return null;
    const nanos = parseNanos(value, format, 'down');
    return nanos !== null && nanos >= 0n && nanos < 2n ** 63n ? nanos : null;
  };
};

/** Date maths is only valid in queries; in a document it is malformed. */
const isDateMath = (value: string | number): boolean =>
  typeof value === 'string' && (value.startsWith('now') || value.includes('||'));

/** Booleans are true, false or their names; the empty string is false, as in Elasticsearch. */
const readBoolean: ValueReader = (value) => {
  if (value === true || value === 'true') return '1';
  if (value === false || value === 'false' || value === '') return '0';
  return null;
};

/**
 * Words as the standard analyser splits them (Unicode Standard Annex 29): runs of letters, digits and underscores with
 * at least one letter or digit, a full stop, colon or apostrophe between two letters and a full stop, comma, semicolon
 * or apostrophe between two digits kept inside; each ideograph is a word, and so is each emoji with its modifiers.
 */
const asciiWords =
  /(?=_*[a-z0-9])[a-z0-9_]+(?:(?:(?<=[a-z])[.:'](?=[a-z])|(?<=[0-9])[.,;'](?=[0-9]))[a-z0-9_]+)*/g;
// eslint-disable-next-line no-control-regex -- the range is all of ASCII
const asciiOnly = /^[\x00-\x7f]*$/;

/** Marks and invisible characters belong to the preceding character. */
const mark = String.raw`[\p{M}\p{Cf}]`;
const ideograph = String.raw`[\p{Script=Han}\p{Script=Hiragana}\u3006]`;
const letter = String.raw`(?!${ideograph})[\p{L}\p{Nl}\u24B6-\u24E9]`;
const inner = String.raw`(?:(?!${ideograph})[\p{L}\p{Nl}\u24B6-\u24E9\p{Nd}_]${mark}*)+`;
const afterLetter = String.raw`(?<=[\p{L}\p{Nl}]${mark}*)`;
const betweenLetters = String.raw`${afterLetter}[.:·'\u2018\u2019\u2024\u2027](?=${letter})`;
const betweenDigits = String.raw`(?<=\p{Nd}${mark}*)[.,;'\u2018\u2019\u2024\u2044\u066B\u066C](?=\p{Nd})`;
const inHebrew = String.raw`(?<=\p{Script=Hebrew})"(?=\p{Script=Hebrew})`;
const afterHebrew = String.raw`(?:(?<=\p{Script=Hebrew})')?`;
const word = String.raw`(?=_*(?:${letter}|\p{Nd}))${inner}(?:(?:${betweenLetters}|${betweenDigits}|${inHebrew})${inner})*${afterHebrew}`;

const pictograph = String.raw`\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}\u{E0020}-\u{E007F}]*`;
const emoji = String.raw`[0-9#*]\uFE0F?\u20E3|\p{Regional_Indicator}{2}|${pictograph}(?:\u200D${pictograph})*`;

const words = new RegExp(String.raw`(?!\u3006)${ideograph}${mark}*|${emoji}|${word}`, 'gu');

/** The analyser splits longer words into pieces of this length. */
const maxTokenLength = 255;

/** The lowercased words of a text, in order, repeats included. */
export const tokensOf = (text: string): readonly string[] => {
  const lower = lowerCase(text);
  const found = lower.match(asciiOnly.test(lower) ? asciiWords : words) ?? [];
  return found.some(({ length }) => length > maxTokenLength) ? found.flatMap(pieces) : found;
};

const pieces = (token: string): readonly string[] =>
  Array.from({ length: Math.ceil(token.length / maxTokenLength) }, (_, index) =>
    token.slice(index * maxTokenLength, (index + 1) * maxTokenLength),
  );
