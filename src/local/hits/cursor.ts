import type { SortValue } from '../../engines/semantics/cursor.ts';
import { cursorPrinter, missingMark, withMarks, maxLong, minLong } from '../../engines/semantics/cursor.ts';
import type { CursorValue, SortKey } from '../../engines/engine.ts';

/**
 * A cursor in the form clients know: a missing whole number or date prints as the smallest long, whichever end of the
 * order it sorts to, as on the established server.
 */
export const shownCursor = (
  cursor: readonly CursorValue[],
  sort: readonly SortKey[],
): readonly CursorValue[] => withMarks(cursor, sort, (_key, mark) => shownMark(mark));

const shownMark = (mark: CursorValue): CursorValue => (mark === maxLong ? minLong : mark);

/** Prints many cursors of one sort in that form. */
export const shownCursorPrinter = (
  sort: readonly SortKey[],
): ((values: readonly SortValue[], tieBreak: CursorValue) => readonly CursorValue[]) =>
  cursorPrinter(sort, shownMark);

/** A client's cursor in the engine's form: the marker of a missing value is the extreme where this key sorts it. */
export const engineCursor = (
  cursor: readonly CursorValue[],
  sort: readonly SortKey[],
): readonly CursorValue[] => withMarks(cursor, sort, missingMark);
