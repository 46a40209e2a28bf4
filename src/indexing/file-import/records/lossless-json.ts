import { Assembler } from 'stream-json/assembler.js';
import { jsonParser } from 'stream-json/parser.js';

/** The value of a JSON text, and the value for type inference if the two differ. */
export interface LosslessJson {
  /** Numbers that a double would round or cannot hold are strings of their digits. */
  readonly value: unknown;
  /** The value with those that fit a long, or are rounded fractions, as numbers; undefined if there are none. */
  readonly rounded?: unknown;
  /** Undefined if there are none. */
  readonly repeated?: RepeatedNames | undefined;
}

/** Objects whose text has a name more than once, with that name: the value only has its last member. */
export type RepeatedNames = ReadonlyMap<unknown, string>;

/** Digit runs as long as numbers above 2^53, with points; most of them are in strings, or smaller. */
const longDigits = /(?<!["\d.])[\d.]{16,}(?!\d)/g;
const sixteenDigits = /[\d.]{16}/;
/** Powers of ten that may be out of range for a double. */
const farExponent = /\d[eE][+-]?\d{3}/;
const lastSafe = String(2 ** 53);
const wholeNumber = /^-?\d+$/;
/** Every string and number of a JSON text, so that digits in strings and fractions are not mistaken for integers. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * JSON.parse, except that numbers that a double would round or cannot hold become strings.
 * @throws SyntaxError for invalid JSON
 */
export const parseLosslessJson = (text: string): LosslessJson => {
  const value: unknown = JSON.parse(text);
  const read = exactNumbers(text, value);
  const isWhole = membersIn(text) === membersOf(value);
  return isWhole ? read : { ...read, repeated: repeatedNames(text, read.value) };
};

const exactNumbers = (text: string, value: unknown): LosslessJson => {
  if (!farExponent.test(text) && (!sixteenDigits.test(text) || !mayLoseDigits(text))) return { value };
  let [quoted, long] = [0, 0];
  const quoting = (isQuoted: (loss: DigitLoss) => boolean): unknown =>
    JSON.parse(
      text.replace(stringOrNumber, (token) => {
        const loss = token.startsWith('"') ? 'none' : digitLoss(token);
        if (loss === 'none' || !isQuoted(loss)) return token;
        quoted += 1;
        if (loss !== 'of a text') long += 1;
        return `"${token}"`;
      }),
    );
  const exact = quoting(() => true);
  if (quoted === 0) return { value };
  return long === 0 ? { value: exact } : { value: exact, rounded: quoting((loss) => loss === 'of a text') };
};

const mayLoseDigits = (text: string): boolean => {
  for (const { 0: digits, index } of text.matchAll(longDigits)) {
    const isWhole = !digits.includes('.');
    if (isWhole && (digits.length > lastSafe.length || digits > lastSafe)) return true;
    if (!isWhole && (String(Number(digits)) !== digits || /[eE]/.test(text[index + digits.length] ?? '')))
      return true;
  }
  return false;
};

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];

/** The members of all objects in a valid JSON text: its colons outside strings. */
const membersIn = (text: string): number => {
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === colon) members += 1;
    if (code !== quote) continue;
    for (at += 1; text.charCodeAt(at) !== quote; at += 1) if (text.charCodeAt(at) === backslash) at += 1;
  }
  return members;
};

const membersOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  const isObject = !Array.isArray(value);
  for (const name in value) {
    if (isObject) members += 1;
    const below = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof below === 'object') members += membersOf(below);
  }
  return members;
};

/** The repeated names of a text that has been parsed. */
const repeatedNames = (text: string, value: unknown): RepeatedNames => {
  const assembler = new NameCheck();
  const tokens = jsonParser({ streamValues: false })(text);
  for (const token of typeof tokens === 'object' ? tokens.values : []) assembler.consume(token);
  const names = new Map<unknown, string>();
  const compare = (assembled: unknown, parsed: unknown): void => {
    const name = assembler.repeated.get(assembled);
    if (name !== undefined) names.set(parsed, name);
    if (typeof assembled !== 'object' || assembled === null) return;
    for (const [key, below] of Object.entries(assembled))
      compare(below, (parsed as Readonly<Record<string, unknown>>)[key]);
  };
  compare(assembler.current, value);
  return names;
};

/**
 * Why a value cannot be loaded unchanged: a name is repeated in an object, or a text is not valid Unicode; null if it can.
 * UTF-8 has no bytes for half of a surrogate pair, which JSON can contain as an escape.
 */
export const flawIn = (value: unknown, repeated: RepeatedNames | undefined): string | null => {
  const repetition = repetitionIn(value, repeated);
  if (repetition !== null) return repetition;
  const text = illFormedIn(value);
  return text === null
    ? null
    : `${JSON.stringify(text.slice(0, 40))} holds half of a surrogate pair, which is not a character`;
};

/** A text, or a member's name, with half of a surrogate pair. Iterative: values may be nested deeper than the call stack. */
const illFormedIn = (value: unknown): string | null => {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part === 'string' && !part.isWellFormed()) return part;
    if (typeof part !== 'object' || part === null) continue;
    for (const name in part) {
      if (!name.isWellFormed()) return name;
      open.push((part as Readonly<Record<string, unknown>>)[name]);
    }
  }
  return null;
};

const repetitionIn = (value: unknown, repeated: RepeatedNames | undefined): string | null => {
  if (repeated === undefined || typeof value !== 'object' || value === null) return null;
  const name = repeated.get(value);
  if (name !== undefined) return `the name ${JSON.stringify(name)} occurs more than once in an object`;
  for (const below of Object.values(value)) {
    const repetition = repetitionIn(below, repeated);
    if (repetition !== null) return repetition;
  }
  return null;
};

/** Builds values from tokens, and notes repeated names. */
class NameCheck extends Assembler {
  readonly repeated = new Map<unknown, string>();

  override keyValue(value: string): void {
    const before = this.current as Record<string, unknown>;
    // on an ordinary object this key is a setter, and the value would be lost
    if (value === '__proto__' && !Object.hasOwn(before, value)) {
      this.current = Object.assign(Object.create(null) as Record<string, unknown>, before);
      if (this.repeated.has(before)) this.repeated.set(this.current, this.repeated.get(before)!);
    } else if (Object.hasOwn(before, value)) this.repeated.set(before, value);
    super.keyValue(value);
  }
}

/** What a double would do to a number: lose digits that a long keeps, or only a text, or round the end of a fraction. */
export type DigitLoss = 'none' | 'of a long' | 'of a text' | 'of a fraction';

const smallestLong = -(2n ** 63n);
const largestLong = 2n ** 63n - 1n;

/** Whether a double would round the number in a text, or cannot hold it. */
export const digitLoss = (source: string): DigitLoss => {
  if (source.length < 16 && !/[eE]/.test(source)) return 'none';
  const number = Number(source);
  if (!Number.isFinite(number) || (number === 0 && /^[^eE]*[1-9]/.test(source))) return 'of a text';
  // the shortest text of a double survives parsing and printing
  if (number === 0 || String(number) === source) return 'none';
  if (!wholeNumber.test(source))
    return scientific(source) === scientific(String(number)) ? 'none' : 'of a fraction';
  if (Number.isSafeInteger(number)) return 'none';
  // a double that holds the value may still be printed with other digits
  const exact = BigInt(source);
  return exact >= smallestLong && exact <= largestLong ? 'of a long' : 'of a text';
};

/** A number's significant digits and the power of ten of the last one: equal texts mean equal numbers. */
const scientific = (text: string): string => {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', decimals = ''] = mantissa.replace(/^[+-]/, '').split('.');
  const digits = `${whole}${decimals}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${mantissa.startsWith('-') ? '-' : ''}${significant}e${Number(power) - decimals.length + digits.length - significant.length}`;
};
