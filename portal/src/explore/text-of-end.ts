import { shownNumber } from '../api/fields.ts';
import type { Formats } from '../i18n/formats.ts';

/** The end of a range as a field to type in shows it; empty: it is open. */
export const textOfEnd = (end: string | number | null, isDate: boolean, typed: Formats['typed']): string => {
  if (end === null) return '';
  if (isDate) return String(end).split('T')[0]!;
  const shown = shownNumber(end);
  return typeof shown === 'number' ? typed(shown) : shown;
};
