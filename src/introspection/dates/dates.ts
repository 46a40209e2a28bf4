import type { DateRounding } from './date-parts.ts';
import { parseDateMath, startsDateMath } from './date-math.ts';
import { parseIsoDate } from './date-iso.ts';
import { parseDatePattern } from './date-pattern.ts';
import { namedDatePattern } from './date-formats.ts';

export type { DateRounding };

const defaultFormat = 'strict_date_optional_time||epoch_millis';

/** The last millisecond that a JavaScript date can represent, on either side of the epoch. */
const furthestMs = 8.64e15;

/**
 * Parses a date as an engine does for a field of that format.
 * @param value a date text, date math (`now-1d/d`, `2020-01-01||+1M/d`), or a number, taken as its digits
 * @param format the mapping's `format`, alternatives separated by `||`, tried in order; defaults to the engines'
 *   default
 * @param rounding `up` for lte and gt, `down` for gte and lt
 * @param nowMs the meaning of `now`, epoch ms; defaults to the clock
 * @returns epoch ms, or null when the value is not a date of this format
 */
export const parseDate = (
  value: string | number,
  format: string | undefined,
  rounding: DateRounding,
  nowMs?: number,
): number | null => {
  const text = String(value);
  const formats = (format ?? defaultFormat).split('||');
  const plain = (date: string, how: DateRounding): number | null => parsePlain(date, formats, how);
  const ms = startsDateMath(text)
    ? parseDateMath(text, rounding, nowMs ?? Date.now(), plain)
    : plain(text, rounding);
  return ms !== null && Math.abs(ms) <= furthestMs ? ms : null;
};

const parsePlain = (text: string, formats: readonly string[], rounding: DateRounding): number | null => {
  for (const format of formats) {
    const ms = parseAs(text, format.trim(), rounding);
    if (ms !== null) return ms;
  }
  return null;
};

const parseAs = (text: string, format: string, rounding: DateRounding): number | null => {
  switch (format) {
    case 'epoch_millis':
      return parseEpoch(text, 1);
    case 'epoch_second':
      return parseEpoch(text, 1000);
    case 'strict_date_optional_time':
    case 'strict_date_optional_time_nanos':
      return parseIsoDate(text, rounding, true);
    case 'date_optional_time':
    case 'iso8601':
      return parseIsoDate(text, rounding, false);
    default:
      return parseDatePattern(text, namedDatePattern(format) ?? format, rounding);
  }
};

const parseEpoch = (text: string, unitMs: number): number | null =>
  /^-?\d+(\.\d+)?$/.test(text) ? Math.floor(Number(text) * unitMs) : null;
