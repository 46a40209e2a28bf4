import { TributaryError } from '../../errors/errors.ts';
import type { CursorValue, SortKey } from '../engine.ts';

/** The errors about a `searchAfter` that cannot be used, the same for every engine and for networks. */

const rejected = (message: string, cause?: unknown): TributaryError =>
  new TributaryError('BAD_USER_INPUT', message, { cause });

const printed = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 80);

/** For anything but the list of an edge. */
export const notACursor = (value: unknown): TributaryError =>
  rejected(`searchAfter must be the searchAfter list of an edge, not ${printed(value)}`);

/** @param length of the cursor */
export const notOfSortLength = (length: number, sortKeys: number): TributaryError =>
  rejected(`searchAfter has ${length} values, it must have ${sortKeys} as the sort, or one more`);

/** For a value that does not fit the sort key's field. */
export const notASortValue = (value: CursorValue, { field }: Pick<SortKey, 'field'>): TributaryError =>
  rejected(`searchAfter has ${printed(value)} for ${field.path}, which is not a value of type ${field.type}`);

/** For a last value that no hit of this engine has. */
export const notATieBreak = (value: CursorValue): TributaryError =>
  rejected(`searchAfter ends with ${printed(value)}, which is not a tie-break of this engine`);

/** @param why completes "searchAfter ..." */
export const startAgain = (why: string, cause?: unknown): TributaryError =>
  rejected(`searchAfter ${why}; start again from the first page`, cause);

/**
 * Checks where a page lies.
 * @param maxDepth the most hits that `offset` and `size` can reach
 * @throws TributaryError BAD_USER_INPUT for an offset beside a cursor, and for a page too far away
 */
export const assertPage = (offset: number, size: number, maxDepth: number, hasCursor: boolean): void => {
  if (hasCursor && offset > 0)
    throw rejected(`searchAfter cannot be combined with offset ${offset}; leave offset out`);
  if (!hasCursor && offset + size > maxDepth)
    throw rejected(
      `offset ${offset} and first ${size} reach past ${maxDepth} hits; go on with searchAfter, the cursor of the last edge`,
    );
};
