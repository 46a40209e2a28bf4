import { kindOf } from '../../introspection/fields/field.ts';
import type { CursorValue, SortKey } from '../engine.ts';
import { isWhole } from './bucket-key.ts';
import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';
import { plural } from '../../lib/text/plural.ts';

/**
 * The cursor of a hit: its sort values, then the engine's tie-break. A missing value prints as null or, for numbers and
 * dates, as the same mark that search servers print: a 64-bit limit or infinity. If a real value equals such a mark,
 * the tie-break says so (`values:0,2;17`: the first and third are values), so that it is not mistaken for missing.
 */

/** The value a document is sorted by. */
export type SortValue =
  | { readonly isMissing: true }
  | { readonly isMissing: false; readonly value: CursorValue };

/** The sort value of a document without one. */
export const missing: SortValue = { isMissing: true };

/** What distinguishes marks from values: the end at which missing values sort, and the type. */
export type CursorKey = Pick<SortKey, 'order' | 'missing'> & {
  readonly field: Pick<SortKey['field'], 'path' | 'type'>;
};

export interface ReadCursor {
  /** One for each sort key. */
  readonly values: readonly SortValue[];
  /** null when the cursor has none. */
  readonly tieBreak: CursorValue;
}

/** The ends of the 64-bit range, as digits: what missing whole numbers and dates sort as. */
export const minLong = '-9223372036854775808';

export const maxLong = '9223372036854775807';

export const maxUnsignedLong = '18446744073709551615';

/** Whether missing values sort above every value, in the values' own order. */
export const isHighEnd = ({ missing: end, order }: Pick<SortKey, 'missing' | 'order'>): boolean =>
  (end === 'last') === (order === 'asc');

/** The mark of a missing value. */
export const missingMark = (key: CursorKey): CursorValue => {
  const { field } = key;
  const kind = kindOf(field.type);
  if (kind !== 'number' && kind !== 'date') return null;
  const isHigh = isHighEnd(key);
  if (isWhole(field.type)) return isHigh ? maxLong : minLong;
  return isHigh ? 'Infinity' : '-Infinity';
};

/**
 * Digits are never a fractional number or a boolean, and infinity is never an integer: there they can only be marks.
 */
const marks: ReadonlySet<CursorValue> = new Set([minLong, maxLong, 'Infinity', '-Infinity']);

/** Whether a printed value would be mistaken for missing, at either end. */
const looksMissing = (value: CursorValue, type: string): boolean => {
  const kind = kindOf(type);
  if (value === null) return true;
  if (kind !== 'number' && kind !== 'date' && kind !== 'boolean') return false;
  if (marks.has(value)) return true;
  if (!isWhole(type)) return false;
  // the second is a mark converted to a double
  return type === 'unsigned_long'
    ? value === maxUnsignedLong
    : typeof value === 'number' && Math.abs(value) >= 2 ** 63;
};

/** @param sort the keys of the values, in the same order */
export const printCursor = (
  values: readonly SortValue[],
  sort: readonly CursorKey[],
  tieBreak: CursorValue,
): readonly CursorValue[] => cursorPrinter(sort)(values, tieBreak);

/**
 * Prints many cursors of one sort.
 * @param shownMark the form of the mark of a missing value
 */
export const cursorPrinter = (
  sort: readonly CursorKey[],
  shownMark: (mark: CursorValue) => CursorValue = (mark) => mark,
): ((values: readonly SortValue[], tieBreak: CursorValue) => readonly CursorValue[]) => {
  const marksOfMissing = sort.map((key) => shownMark(missingMark(key)));
  return (values, tieBreak) => {
    const doubtful: number[] = [];
    const printed: CursorValue[] = [];
    for (let at = 0; at < sort.length; at += 1) {
      const entry = values[at]!;
      if (!entry.isMissing && looksMissing(entry.value, sort[at]!.field.type)) doubtful.push(at);
      printed.push(entry.isMissing ? (marksOfMissing[at] ?? null) : entry.value);
    }
    printed.push(printTieBreak(tieBreak, doubtful));
    return printed;
  };
};

/**
 * Reads a cursor for a sort; the tie-break is optional.
 * @throws TributaryError BAD_USER_INPUT for a cursor of the wrong length
 */
export const readCursor = (cursor: readonly CursorValue[], sort: readonly CursorKey[]): ReadCursor => {
  if (cursor.length !== sort.length && cursor.length !== sort.length + 1)
    throw notOfSortLength(cursor.length, sort.length);
  return { values: sortValues(cursor, sort), tieBreak: readTieBreak(cursor[sort.length]).tieBreak };
};

/** The sort values of a cursor, ignoring anything after them. */
export const sortValues = (
  cursor: readonly CursorValue[],
  sort: readonly CursorKey[],
): readonly SortValue[] => {
  const { realValues } = readTieBreak(cursor[sort.length]);
  return sort.map(({ field }, at): SortValue => {
    const value = cursor[at] ?? null;
    return !realValues.has(at) && looksMissing(value, field.type) ? missing : { isMissing: false, value };
  });
};

/** The cursor with the marks of missing values changed; values and anything after them are kept. */
export const withMarks = (
  cursor: readonly CursorValue[],
  sort: readonly CursorKey[],
  markOf: (key: CursorKey, mark: CursorValue) => CursorValue,
): readonly CursorValue[] => {
  const { realValues } = readTieBreak(cursor[sort.length]);
  return cursor.map((value, at) => {
    const key = sort[at];
    const isMark = key !== undefined && !realValues.has(at) && looksMissing(value, key.field.type);
    return isMark ? markOf(key, value) : value;
  });
};

const noRealValues: ReadonlySet<number> = new Set();

const tieBreakForm = /^values:([\d,]*);(.*)$/s;

/** @param realValues positions of the real values that look like marks */
const printTieBreak = (tieBreak: CursorValue, realValues: readonly number[]): CursorValue => {
  const isPlain = realValues.length === 0 && !(typeof tieBreak === 'string' && tieBreakForm.test(tieBreak));
  return isPlain ? tieBreak : `values:${realValues.join(',')};${tieBreak}`;
};

const readTieBreak = (
  printed: CursorValue | undefined,
): { readonly tieBreak: CursorValue; readonly realValues: ReadonlySet<number> } => {
  const match = typeof printed === 'string' ? tieBreakForm.exec(printed) : null;
  if (match === null) return { tieBreak: printed ?? null, realValues: noRealValues };
  const positions = match[1]!.split(',').filter((position) => position !== '');
  return { tieBreak: match[2]!, realValues: new Set(positions.map(Number)) };
};

const printed = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 80);

/** For anything but the list of an edge. */
export const notACursor = (value: unknown): TributaryError =>
  badUserInput(`searchAfter must be the searchAfter list of an edge, not ${printed(value)}`);

/** @param length of the cursor */
const notOfSortLength = (length: number, sortKeys: number): TributaryError =>
  badUserInput(
    `searchAfter has ${length} ${plural(length, 'value')}, it must have ${sortKeys} as the sort, or one more`,
  );

/** For a value that does not fit the sort key's field. */
export const notASortValue = (value: CursorValue, { field }: Pick<SortKey, 'field'>): TributaryError =>
  badUserInput(
    `searchAfter has ${printed(value)} for ${field.path}, which is not a value of type ${field.type}`,
  );

/** For a last value that no hit of this engine has. */
export const notATieBreak = (value: CursorValue): TributaryError =>
  badUserInput(`searchAfter ends with ${printed(value)}, which is not a tie-break of this engine`);

/**
 * For a cursor that was valid, but not for the data searched now. Its details let a network recognize it in a node's answer.
 * @param why completes "searchAfter ..."
 */
export const startAgain = (why: string, cause?: unknown): TributaryError =>
  badUserInput(`searchAfter ${why}; start again from the first page`, {
    cause,
    details: { startAgain: true },
  });

/**
 * Checks where a page lies.
 * @param maxDepth the most hits that `offset` and `size` can reach
 * @throws TributaryError BAD_USER_INPUT for an offset beside a cursor, and for a page too far away
 */
export const assertPage = (offset: number, size: number, maxDepth: number, hasCursor: boolean): void => {
  if (hasCursor && offset > 0)
    throw badUserInput(`searchAfter cannot be combined with offset ${offset}; leave offset out`);
  if (!hasCursor && offset + size > maxDepth)
    throw badUserInput(
      `offset ${offset} and first ${size} reach past ${maxDepth} hits; go on with searchAfter, the cursor of the last edge`,
    );
};
