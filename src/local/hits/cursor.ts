import { missingMark, withMarks } from '../../engines/semantics/cursor.ts';
import type { CursorValue, SortKey } from '../../engines/engine.ts';

const minLong = '-9223372036854775808';
const greatest = '9223372036854775807';

/**
 * A cursor as clients know it: whichever end of the order a missing whole number or date stands at, it prints as the
 * least long, as the established server does.
 */
export const shownCursor = (
  cursor: readonly CursorValue[],
  sort: readonly SortKey[],
): readonly CursorValue[] => withMarks(cursor, sort, (_key, mark) => (mark === greatest ? minLong : mark));

/** A client's cursor as the engine knows it: the marker of a missing value is the end that this key puts it at. */
export const engineCursor = (
  cursor: readonly CursorValue[],
  sort: readonly SortKey[],
): readonly CursorValue[] => withMarks(cursor, sort, missingMark);
