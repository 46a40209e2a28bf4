import type { DateParts, DateRounding } from './date-parts.ts';
import { fractionMs, msOfParts, offsetMinutes } from './date-parts.ts';

const zone = '(Z|[+-]\\d{2}(?::?\\d{2})?)';
const time = (two: string): string => `T(?:${two}(?::${two}(?::${two}(?:[.,](\\d{1,9}))?)?)?${zone}?)?`;
const dated = (year: string, two: string): RegExp =>
  new RegExp(`^${year}(?:-${two}(?:-${two}(?:${time(two)})?)?)?$`);

/** Trailing parts may be omitted; in strict mode, a year of more than four digits requires a sign. */
const strict = dated('(-?\\d{4}|[+-]\\d{5,9})', '(\\d{2})');
const lenient = dated('([+-]?\\d{1,9})', '(\\d{1,2})');

/**
 * Parses an ISO 8601 date with optional time: `2020`, `-0206-01-05`, `2020-01-05T10:30+02:00`.
 * @returns epoch ms, or null when it is invalid
 */
export const parseIsoDate = (text: string, rounding: DateRounding, isStrict: boolean): number | null => {
  const match = (isStrict ? strict : lenient).exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction, offsetText] = match;
  const offset = offsetText === undefined ? 0 : offsetMinutes(offsetText);
  if (offset === null) return null;
  const parts: DateParts = {
    year: Number(year),
    month: numberOf(month),
    day: numberOf(day),
    hour: numberOf(hour),
    minute: numberOf(minute),
    second: numberOf(second),
    ms: fraction === undefined ? undefined : fractionMs(fraction),
    offset,
  };
  return msOfParts(parts, rounding);
};

const numberOf = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Number(digits);
