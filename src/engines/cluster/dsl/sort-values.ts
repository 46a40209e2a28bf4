import { kindOf, type IndexField } from '../../../introspection/fields/field.ts';
import type { JsonValue } from '../../../lib/json/json.ts';
import { isWhole } from '../../semantics/bucket-key.ts';
import {
  isHighEnd,
  maxLong,
  maxUnsignedLong,
  minLong,
  notASortValue,
  missing,
  sortValues,
  type SortValue,
} from '../../semantics/cursor.ts';
import type { CursorValue, SortKey } from '../../engine.ts';

/**
 * Servers replace a missing value with an extreme of the type. Where a value can be such a 64-bit extreme, adding the
 * same key again with missing values at the other end tells them apart: a real value is the same in both, a missing one
 * becomes the other extreme.
 */
export const isTwice = ({ type }: IndexField): boolean =>
  type === 'long' || type === 'unsigned_long' || type === 'date_nanos';

/**
 * Servers take numbers of these types for numbers of another type when they skip documents that seem to sort too late:
 * OpenSearch the first two, Elasticsearch the third. They fail, or omit documents after a cursor. Only the first key of a
 * sort is affected, so a field that no document has is put before these.
 */
export const isBehindConstant = ({ type }: IndexField): boolean =>
  type === 'scaled_float' || type === 'unsigned_long' || type === 'half_float';

/** The sort values of a hit as printed by the server, for our sort keys, and how many values these take. */
export const readSortValues = (
  sort: readonly SortKey[],
  printed: readonly JsonValue[],
): { readonly values: readonly SortValue[]; readonly length: number } => {
  let at = 0;
  const values = sort.map((key): SortValue => {
    if (isBehindConstant(key.field)) at++;
    const value = readValue(key, printed[at++] ?? null);
    if (!isTwice(key.field)) return value;
    const again = printed[at++] ?? null;
    return String(again) === String(printed[at - 2] ?? null)
      ? { isMissing: false, value: printed[at - 2] as CursorValue }
      : missing;
  });
  return { values, length: at };
};

const readValue = (key: SortKey, printed: JsonValue): SortValue => {
  const { type } = key.field;
  if (kindOf(type) === 'boolean')
    return printed === null || longEnds.has(printed)
      ? missing
      : { isMissing: false, value: printed === true || printed === 'true' || printed === 1 };
  // OpenSearch reads milliseconds before 1970, such as -691200000, as a year that far back
  if (type === 'date' && printed === (isHighEnd(key) ? minLong : maxLong))
    return { isMissing: false, value: printed };
  // printed with the fewest digits that identify the float
  const value =
    typeof printed === 'number' && (type === 'float' || type === 'half_float')
      ? Math.fround(printed)
      : (printed as CursorValue);
  return sortValues([value], [key])[0]!;
};

const longEnds: ReadonlySet<JsonValue> = new Set([maxLong, minLong]);

/**
 * The sort values of a cursor in the form of search_after.
 * @throws TributaryError BAD_USER_INPUT for a value that is not of the key's type
 */
export const afterValues = (sort: readonly SortKey[], values: readonly SortValue[]): readonly JsonValue[] =>
  sort.flatMap((key, at): readonly JsonValue[] => {
    const entry = values[at]!;
    const value = entry.isMissing ? endOf(key, 1) : afterValue(key, entry.value);
    const again = entry.isMissing ? endOf(key, -1) : value;
    return [
      ...(isBehindConstant(key.field) ? [exactNumber(maxLong)] : []),
      ...(isTwice(key.field) ? [value, again] : [value]),
    ];
  });

/** @param side 1 for the end where the key puts missing values, -1 for the opposite end */
export const endOf = (key: SortKey, side: 1 | -1): JsonValue => {
  const { type } = key.field;
  const kind = kindOf(type);
  if (kind !== 'number' && kind !== 'date' && kind !== 'boolean') return null;
  const isHigh = isHighEnd(key) === (side === 1);
  if (type === 'unsigned_long') return exactNumber(isHigh ? maxUnsignedLong : '0');
  if (type === 'date_nanos') return exactNumber(isHigh ? maxLong : '0');
  if (isWhole(type) || kind === 'boolean') return exactNumber(isHigh ? maxLong : minLong);
  return isHigh ? 'Infinity' : '-Infinity';
};

const afterValue = ({ field }: SortKey, value: CursorValue): JsonValue => {
  const kind = kindOf(field.type);
  if (kind === 'boolean') return Number(value === true || value === 'true' || value === 1);
  if (kind !== 'number' && kind !== 'date') return String(value);
  if (value !== '' && typeof value !== 'boolean' && !Number.isNaN(Number(value))) return exactNumber(value!);
  throw notASortValue(value, { field });
};

/** Digits as a JSON number, however many there are: a server would parse a string in the date's format. */
export const exactNumber = (value: string | number): JsonValue =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? rawJson(value) : value;

/** Available since Node.js 21; its types are only in a later library version. */
const rawJson = (JSON as typeof JSON & { rawJSON: (text: string) => JsonValue }).rawJSON;
