import { createHash } from 'node:crypto';
import { z } from 'zod';
import { TributaryError } from '../errors.ts';
import type { SortRequest } from '../local/query.ts';
import type { NetworkCursor } from './question.ts';

const cursorSchema = z.tuple([
  z.string(),
  z.record(z.string(), z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
]);

/** The position behind a row as opaque text, with a fingerprint of what it is a position in. */
export const printCursor = (position: NetworkCursor, fingerprint: string): string =>
  Buffer.from(JSON.stringify([fingerprint, Object.fromEntries(position)])).toString('base64url');

/**
 * Reads what printCursor wrote.
 * @throws TributaryError BAD_USER_INPUT when it is none, or one of other nodes or another sort: rows would be skipped
 */
export const parseCursor = (input: unknown, fingerprint: string): NetworkCursor | null => {
  if (input === undefined || input === null || (Array.isArray(input) && input.length === 0)) return null;
  const parsed = cursorSchema.safeParse(typeof input === 'string' ? decode(input) : null);
  if (!parsed.success)
    throw refused('searchAfter is not a cursor of this network; pass the searchAfter of an edge');
  const [made, position] = parsed.data;
  if (made !== fingerprint)
    throw refused('searchAfter was made for other nodes or another sort; start again from the first page');
  return new Map(Object.entries(position));
};

const decode = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    // no JSON is no cursor: the schema refuses it
    return null;
  }
};

/** What a cursor depends on: the nodes asked and the sort. */
export const cursorFingerprint = (nodeIds: readonly string[], sort: readonly SortRequest[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        [...nodeIds].sort(),
        sort.map((key) => [key.fieldName, key.order, key.mode, key.missing]),
      ]),
    )
    .digest('base64url')
    .slice(0, 12);

const refused = (message: string): TributaryError => new TributaryError('BAD_USER_INPUT', message);
