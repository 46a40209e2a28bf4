import { hash } from 'node:crypto';
import { z } from 'zod';
import { startAgain, readCursor } from '../../engines/semantics/cursor.ts';
import type { CursorValue } from '../../engines/engine.ts';
import type { SortRequest } from '../../search/query.ts';
import type { TranslatedSort } from './sort-groups.ts';

/** How far paging through the groups of a translated sort has come: the content of the last part of such a cursor. */
export interface GroupPosition {
  /** For each translated key: the values that the groups are made of, the same on every page. */
  readonly known: readonly (readonly string[])[];
  /** By index of the group: the cursor of its last row, null when it has no more. */
  readonly reached: ReadonlyMap<number, readonly CursorValue[] | null>;
}

const cursorValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const schema = z.tuple([
  z.string(),
  z.array(z.array(z.string())),
  z.array(z.tuple([z.int().nonnegative(), z.array(cursorValue).nullable()])),
]);

/** Prints a position as the last part of a cursor, bound to its sort. */
export const printPosition = (
  sort: TranslatedSort,
  asked: readonly SortRequest[],
  position: GroupPosition,
): string => JSON.stringify([fingerprint(sort, asked), position.known, [...position.reached]]);

/**
 * @param cursor of a row of this node
 * @throws TributaryError BAD_USER_INPUT when it was made for other values: rows would be skipped
 */
export const readPosition = (
  cursor: readonly CursorValue[],
  sort: TranslatedSort,
  asked: readonly SortRequest[],
): GroupPosition => {
  const { tieBreak } = readCursor(cursor, sort.shownKeys);
  const parsed = schema.safeParse(parsedJson(tieBreak));
  if (!parsed.success || parsed.data[1].length !== sort.translated.length)
    throw startAgain('does not fit the values that a node translates');
  const [made, known, reached] = parsed.data;
  if (made !== fingerprint(sort, asked))
    throw startAgain('was made when a node translated values differently');
  return { known, reached: new Map(reached) };
};

const parsedJson = (text: CursorValue): unknown => {
  try {
    return typeof text === 'string' ? JSON.parse(text) : null;
  } catch {
    // anything but JSON is not a position: the schema refuses it
    return null;
  }
};

const fingerprint = ({ translated }: TranslatedSort, asked: readonly SortRequest[]): string =>
  hash(
    'sha256',
    JSON.stringify([asked, translated.map(({ values }) => [...values.listed])]),
    'base64url',
  ).slice(0, 8);
