import { badUserInput, type TributaryError } from '../lib/errors/errors.ts';

/**
 * The error for a filter that is malformed or does not fit the catalogue.
 * @param at JSON path of the error, `$.content[0].op`
 * @param value the value there, shown shortened
 * @param accepted what would be valid, as text
 */
export const malformed = (at: string, value: unknown, accepted: string): TributaryError => {
  const path = shortPath(at);
  return badUserInput(`filter at ${path}: expected ${accepted}, found ${printed(value)}`, {
    details: { path, found: printed(value), accepted },
  });
};

const maxPathLength = 300;
const maxShownLength = 80;

/** Omits the middle of a very deep path. */
const shortPath = (at: string): string =>
  at.length > maxPathLength ? `${at.slice(0, maxPathLength / 2)}…${at.slice(-maxPathLength / 2)}` : at;

/** The value as a short text: callers must recognise what they wrote, without all of it being repeated. */
const printed = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return shownList(value);
  if (typeof value === 'object' && value !== null) return `an object with ${keysOf(value)}`;
  if (typeof value === 'string') return JSON.stringify(shortened(value));
  return shortened(String(value));
};

/** A few numbers and short texts as they are, other lists as their length. */
const shownList = (values: readonly unknown[]): string => {
  if (values.length === 0) return 'an empty list';
  const isPlain = values.every((value) => typeof value === 'number' || typeof value === 'string');
  const text = isPlain ? JSON.stringify(values) : '';
  return isPlain && text.length <= maxShownLength ? text : `a list of ${values.length}`;
};

const keysOf = (value: object): string => {
  const keys = Object.keys(value);
  return keys.length === 0 ? 'no keys' : shortened(`the keys ${keys.slice(0, 5).join(', ')}`);
};

const shortened = (text: string): string =>
  text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
