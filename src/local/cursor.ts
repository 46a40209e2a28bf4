import type { CursorValue, SortKey } from '../engines/engine.ts';
import { kindOf } from '../introspection/field.ts';

const least = '-9223372036854775808';
const greatest = '9223372036854775807';

/**
 * A cursor as clients know it: whichever end of the order a missing number or date stands at, it prints as the least
 * long, as the established server does.
 */
export const shownCursor = (
  cursor: readonly CursorValue[],
  sort: readonly SortKey[],
): readonly CursorValue[] =>
  cursor.map((value, position) => (value === greatest && isMarked(sort[position]) ? least : value));

/** A client's cursor as the engine knows it: the marker of a missing value is the end that this key puts it at. */
export const engineCursor = (
  cursor: readonly CursorValue[],
  sort: readonly SortKey[],
): readonly CursorValue[] =>
  cursor.map((value, position) => {
    const key = sort[position];
    if (!isMarked(key) || (value !== least && value !== greatest)) return value;
    return (key.order === 'asc') === (key.missing === 'last') ? greatest : least;
  });

const isMarked = (key: SortKey | undefined): key is SortKey => {
  const kind = key === undefined ? undefined : kindOf(key.field.type);
  return kind === 'number' || kind === 'date';
};
