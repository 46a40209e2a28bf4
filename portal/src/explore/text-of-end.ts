import { shownNumber } from '../api/fields.ts';
import type { Formats } from '../i18n/formats.ts';

/** The end of a range as an input field shows it; empty: open. */
export const textOfEnd = (end: string | number | null, isDate: boolean, typed: Formats['typed']): string => {
  if (end === null) return '';
  if (isDate) return String(end).split('T')[0]!;
  const shown = shownNumber(end);
  return typeof shown === 'number' ? typed(shown) : shown;
};
