import type { JsonValue } from '../json.ts';

/** Sixteen digits or more may be a whole number that a double cannot hold. */
const longNumber = /\d{16}/;

/**
 * A server's JSON. Whole numbers past 2^53 become their digits, as everywhere else in this project.
 * @throws SyntaxError for what is no JSON
 */
export const exactJson = (text: string): JsonValue =>
  longNumber.test(text) ? (JSON.parse(text, exactNumber) as JsonValue) : (JSON.parse(text) as JsonValue);

const exactNumber = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? context!.source
    : value;
