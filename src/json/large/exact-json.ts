import type { JsonValue } from '../json.ts';

/** Sixteen digits or more may be an integer that a double cannot represent. */
const longNumber = /\d{16}/;

/**
 * Parses a server's JSON. Integers above 2^53 become strings of their digits, as everywhere in this project.
 * @throws SyntaxError for invalid JSON
 */
export const exactJson = (text: string): JsonValue =>
  longNumber.test(text) ? (JSON.parse(text, exactNumber) as JsonValue) : (JSON.parse(text) as JsonValue);

const exactNumber = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? context!.source
    : value;
