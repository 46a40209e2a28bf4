import { TributaryError } from '../errors.ts';

/**
 * The refusal of a filter that is malformed or does not fit the catalogue.
 * @param at JSON path of what is wrong, `$.content[0].op`
 * @param found what stands there, shown shortened
 * @param accepted what would be right, in words
 */
export const malformed = (at: string, found: unknown, accepted: string): TributaryError => {
  const path = shortPath(at);
  return new TributaryError(
    'BAD_USER_INPUT',
    `filter at ${path}: expected ${accepted}, found ${shown(found)}`,
    {
      details: { path, found: shown(found), accepted },
    },
  );
};

const maxPathLength = 300;
const maxShownLength = 80;

/** A path with its middle left out when it is very deep. */
const shortPath = (at: string): string =>
  at.length > maxPathLength ? `${at.slice(0, maxPathLength / 2)}…${at.slice(-maxPathLength / 2)}` : at;

/** The value as a short text: what a caller wrote must be recognisable, not repeated in full. */
const shown = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return shownList(value);
  if (typeof value === 'object' && value !== null) return `an object with ${keysOf(value)}`;
  if (typeof value === 'string') return JSON.stringify(shortened(value));
  return shortened(String(value));
};

/** A few numbers and short texts as they are, other lists by their length. */
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
