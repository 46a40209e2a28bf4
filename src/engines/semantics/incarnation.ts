import { hash } from 'node:crypto';
import { notATieBreak, startAgain } from './cursor.ts';
import type { CursorValue } from '../engine.ts';

/**
 * Numbers of documents and of writes mean something only in the index that assigned them, so the tie-break of a cursor
 * names it: `17@bW9XZcAf`. The sort values before it are left as they are, since networks merge by them.
 */

/**
 * The name of an index for its cursors: kept across restarts, different once it is created again.
 * @param uid assigned when the index was created; for an alias, the uids of its indexes
 */
export const incarnationOf = (uid: string): string =>
  hash('sha256', `cursors of ${uid}`, 'base64url').slice(0, 8);

/** Names the index in a cursor that ends with a tie-break. */
export const withIncarnation = (
  cursor: readonly CursorValue[],
  incarnation: string,
): readonly CursorValue[] => [...cursor.slice(0, -1), `${String(cursor.at(-1))}@${incarnation}`];

const named = /^(.*)@([\w-]+)$/s;

/** The name in a tie-break; undefined: it has none. */
export const incarnationNamed = (tieBreak: CursorValue | undefined): string | undefined =>
  named.exec(String(tieBreak))?.[2];

/**
 * A cursor without the name of the index, as it was passed to withIncarnation. One without a tie-break is returned
 * unchanged.
 * @throws TributaryError BAD_USER_INPUT when it was made for another index, or names none
 */
export const withoutIncarnation = (
  cursor: readonly CursorValue[],
  sortKeys: number,
  incarnation: string,
): readonly CursorValue[] => {
  if (cursor.length !== sortKeys + 1) return cursor;
  const [, position, name] = named.exec(String(cursor[sortKeys])) ?? [];
  if (name === undefined) throw notATieBreak(cursor[sortKeys]!);
  if (name !== incarnation)
    throw startAgain('was made for another copy of the index, or before it was replaced');
  return [...cursor.slice(0, sortKeys), numberIn(position!)];
};

/** Read-ahead compares cursors as JSON, where a number differs from its digits. */
const numberIn = (position: string): CursorValue => (/^\d+$/.test(position) ? Number(position) : position);
