import type { CursorValue } from '../../../engines/engine.ts';
import { isHighEnd, maxLong, maxUnsignedLong, minLong } from '../../../engines/semantics/sort-ends.ts';
import type { Fields } from '../../../introspection/fields/field.ts';
import type { SortRequest } from '../../../search/query.ts';

/** How a cursor for rows without a value is encoded for an established node. */
export type ExtremeForm = 'date' | 'dateMath' | 'digits';

/**
 * Its engine places missing values at one end of the 64-bit range, and parses a date given as text in the mapping's
 * format: most engines accept the extreme dates as they are, some only as date math, a few the digits of the largest.
 */
const dates: Readonly<Record<ExtremeForm, readonly [least: string, greatest: string]>> = {
  date: ['-292275055-05-16T16:47:04.192Z', '+292278994-08-17T07:12:55.807Z'],
  dateMath: ['1969-05-16T16:47:04.192Z||-292277024y', '1970-08-17T07:12:55.807Z||+292277024y'],
  digits: [minLong, maxLong],
};
const unsigned = ['0', maxUnsignedLong] as const;

/** In the order in which to try them. */
export const extremeForms: readonly ExtremeForm[] = ['date', 'dateMath', 'digits'];

const markers = new Set<CursorValue>([minLong, maxLong]);

/** A cursor as an established node takes it back: it shows missing numbers and dates as the least long at both ends. */
export const establishedCursor = (
  cursor: readonly CursorValue[],
  sort: readonly SortRequest[],
  fields: Fields,
  form: ExtremeForm,
): readonly CursorValue[] =>
  cursor.map((value, index) => {
    const key = sort[index];
    const field = key && fields.get(key.fieldName);
    if (!field || !markers.has(value) || (field.kind !== 'date' && field.kind !== 'number')) return value;
    const [least, greatest] =
      field.type === 'unsigned_long' ? unsigned : dates[field.kind === 'date' ? form : 'digits'];
    const missing = key.missing ?? (key.order === 'asc' ? 'first' : 'last');
    return isHighEnd({ missing, order: key.order }) ? greatest : least;
  });

/** Whether this cursor depends on the form. */
export const holdsExtremeDate = (
  cursor: readonly CursorValue[] | null,
  sort: readonly SortRequest[],
  fields: Fields,
): boolean =>
  (cursor ?? []).some((value, index) => {
    const key = sort[index];
    return key !== undefined && markers.has(value) && fields.get(key.fieldName)?.kind === 'date';
  });
