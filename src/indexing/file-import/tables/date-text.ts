import { parseDate } from '../../../introspection/dates/dates.ts';

/**
 * A date written in `format` as ISO 8601, as exact as the format: `2020-12-31`, `2020-12`, or with time in UTC. Dates that
 * are ISO 8601 already stay as they are; null when the text is neither.
 */
export const isoDate = (text: string, format: string): string | null => {
  const ms = parseDate(text, format, 'down', 0);
  if (ms !== null && !/now|\|\|/.test(text))
    return new Date(ms).toISOString().replace(partsBeyond(format), '');
  return isIsoDate(text) ? text : null;
};

/** Whether a text is a whole date of ISO 8601, with or without time. */
export const isIsoDate = (text: string): boolean =>
  /^[+-]?\d{4,}-\d\d-\d\d/.test(text) && parseDate(text, 'strict_date_optional_time', 'down') !== null;

/** What of an ISO date the format says nothing about. */
const partsBeyond = (format: string): RegExp => {
  const letters = format.replace(/'[^']*'/g, '');
  if (/[Hhms]|time|epoch/.test(letters)) return /$/;
  if (/d|date/.test(letters)) return /T.*$/;
  return letters.includes('M') ? /-\d\dT.*$/ : /-\d\d-\d\dT.*$/;
};
