import { parseDate } from '../../../introspection/dates/dates.ts';

/**
 * Converts a date in `format` to ISO 8601 of the same precision: `2020-12-31`, `2020-12`, or with time in UTC. ISO 8601
 * dates are unchanged; null if the text is neither.
 */
export const isoDate = (text: string, format: string): string | null => {
  const ms = parseDate(text, format, 'down', 0);
  if (ms !== null && !/now|\|\|/.test(text))
    return new Date(ms).toISOString().replace(partsBeyond(format), '');
  return isIsoDate(text) ? text : null;
};

/** Whether a text is a full ISO 8601 date, with or without time. */
export const isIsoDate = (text: string): boolean =>
  /^[+-]?\d{4,}-\d\d-\d\d/.test(text) && parseDate(text, 'strict_date_optional_time', 'down') !== null;

/** The parts of an ISO date that the format does not cover. */
const partsBeyond = (format: string): RegExp => {
  const letters = format.replace(/'[^']*'/g, '');
  if (/[Hhms]|time|epoch/.test(letters)) return /$/;
  if (/d|date/.test(letters)) return /T.*$/;
  return letters.includes('M') ? /-\d\dT.*$/ : /-\d\d-\d\dT.*$/;
};
