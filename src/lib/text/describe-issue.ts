import type { z } from 'zod';

/**
 * Describes what is wrong with a value of a configuration file, without the value itself: the reason why a catalogue
 * failed is public.
 * @param value the validated content, the root of the issue's path
 */
export const describeIssue = (issue: z.core.$ZodIssue, value: unknown): string => {
  if (issue.code !== 'invalid_type') return issue.message;
  const expected = kinds[issue.expected] ?? issue.expected;
  const found = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], value);
  return `${expected} expected, ${found === undefined ? 'and the key is missing' : `found ${kindOf(found)}`}`;
};

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'boolean' ? String(value) : (kinds[typeof value] ?? typeof value);
};
