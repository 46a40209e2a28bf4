import { isYear, rangeEndsOf, shownNumber, timeOf, type Field } from '../api/fields.ts';
import type { Messages } from '../i18n/en.ts';
import type { Formats } from '../i18n/formats.ts';

/** The text of a number or date of a field; `isShort`: on an axis. */
export const showValue = (
  { path, kind, unit }: Pick<Field, 'path' | 'kind' | 'unit'>,
  { day, bytes, number, short }: Formats,
  isShort = false,
): ((value: number) => string) => {
  if (kind === 'dates') return day;
  if (unit !== null && /^(B|bytes?|octets?)$/i.test(unit)) return bytes;
  if (isYear(path)) return (year) => String(Math.round(year * 10) / 10);
  return isShort ? short : number;
};

/** An interval of a histogram by its first and last value: years, days or numbers; for fractions, by its ends. */
export const intervalText = (
  field: Pick<Field, 'path' | 'kind' | 'type' | 'unit'>,
  { from, to }: { readonly from: number; readonly to: number },
  words: Formats & { readonly t: Messages },
): string => {
  const show = showValue(field, words);
  const isOfYears = field.kind === 'dates' && [from, to].every(isNewYear);
  const ends = isOfYears
    ? [from, to - 1].map((at) => String(new Date(at).getUTCFullYear()))
    : rangeEndsOf(field, from, to)
        .map(shownNumber)
        .map((end) => show(typeof end === 'string' ? timeOf(end) : end));
  const [first = '', last = ''] = ends;
  if (first === last) return first;
  return words.t[field.kind === 'dates' && !isOfYears ? 'ofDates' : 'ofNumbers'].between(first, last);
};

const isNewYear = (at: number): boolean => {
  const date = new Date(at);
  return date.getTime() === new Date(0).setUTCFullYear(date.getUTCFullYear(), 0, 1);
};
