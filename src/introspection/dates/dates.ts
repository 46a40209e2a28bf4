import type { DateRounding, DateParts } from './date-pattern.ts';
import {
  fractionMs,
  msOfParts,
  offsetMinutes,
  parseDatePattern,
  daysInMonth,
  utcMs,
} from './date-pattern.ts';
import type { CalendarUnit, DimensionConfig } from '../fields/catalogue-config.ts';

export type { DateRounding };

/** The engines' format of dates whose mapping has none. */
export const defaultDateFormat = 'strict_date_optional_time||epoch_millis';

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
  const formats = (format ?? defaultDateFormat).split('||');
  const plain = (date: string, how: DateRounding): number | null => parsePlain(date, formats, how);
  const ms = startsDateMath(text)
    ? parseDateMath(text, rounding, nowMs ?? Date.now(), plain)
    : plain(text, rounding);
  return ms !== null && Math.abs(ms) <= furthestMs ? ms : null;
};

/** The format of date_nanos when the mapping sets none. */
const defaultNanosFormat = 'strict_date_optional_time_nanos||epoch_millis';

/** As parseDate for a stored value of a field that keeps nanoseconds, in nanoseconds since 1970. */
export const parseNanos = (value: string | number, format: string | undefined): bigint | null => {
  const ms = parseDate(value, format ?? defaultNanosFormat, 'down');
  return ms === null ? null : BigInt(ms) * nanosInMs + BigInt(nanosBehindMs(String(value), format, 'down'));
};

export const nanosInMs = 1_000_000n;

/** The nanoseconds behind the milliseconds of a date: those in the text, otherwise 0 or, rounding up, the maximum. */
const nanosBehindMs = (text: string, format: string | undefined, rounding: DateRounding): number => {
  const anchor = dependsOnNow(text) ? '' : text.split('||')[0]!;
  if (/\/[yMwdhHms]/.test(text.slice(anchor.length))) return rounding === 'up' ? 999_999 : 0;
  const [, digits] = /(?::\d{2}[.,]|^-?\d+\.)(\d+)/.exec(anchor) ?? [];
  const ofMs = /^-?\d+\./.test(anchor) && format !== 'epoch_second';
  if (digits !== undefined) return Number(digits.padEnd(9, '0').slice(ofMs ? 0 : 3, ofMs ? 6 : 9));
  return rounding === 'up' && anchor !== '' ? 999_999 : 0;
};

const isoFormat = 'strict_date_optional_time';

/**
 * Parses a date as filters mean it, whatever the format of the stored ones: a number is milliseconds since 1970, a text
 * ISO 8601, else a date in the mapping's format, else the digits of milliseconds; date math follows any of them.
 * @param format the mapping's `format`
 * @param rounding `up` for the last moment of the period that the date names, `down` for the first
 * @param nowMs the meaning of `now`, epoch ms; defaults to the clock
 * @returns epoch ms, or null when the value is not a date
 */
export const parseFilterDate = (
  value: string | number,
  format: string | undefined,
  rounding: DateRounding,
  nowMs?: number,
): number | null => {
  if (typeof value === 'number') return parseDate(value, 'epoch_millis', rounding);
  return parseDate(value, filterFormat(format), rounding, nowMs);
};

const filterFormat = (format = ''): string =>
  [
    isoFormat,
    ...format.split('||').filter((alternative) => alternative !== '' && !isEpoch(alternative.trim())),
    'epoch_millis',
  ].join('||');

const dayMs = 86_400_000;

/**
 * A stored date as ISO 8601: unchanged if it already is, else as precise as it is written, a day, month or year as `2024-05-01`.
 * @param format the mapping's `format`
 * @returns null when the value is not a date of this format
 */
export const isoDate = (stored: string | number, format = defaultDateFormat): string | null =>
  // most dates: they are shown without being parsed
  typeof stored === 'string' && format.startsWith(isoFormat) && isoStart.test(stored)
    ? stored
    : // some readers reject hours without minutes
      (isoOf(stored, format)?.replace(/T(\d\d)Z$/, 'T$1:00Z') ?? null);

const isoStart = /^\d{4}-\d\d-\d\d(?:T|$)/;

const isoOf = (date: string | number, format: string | undefined): string | null => {
  const from = parseDate(date, format, 'down');
  if (from === null) return null;
  if (typeof date === 'string' && parseIsoDate(date, 'down', true) === from) return date;
  return isoPeriod(from, parseDate(date, format, 'up')! + 1 - from);
};

/** @param lengthMs of a year, a month, a day, an hour, a minute or a second; anything else is a moment */
const isoPeriod = (fromMs: number, lengthMs: number): string => {
  const [date = '', time = ''] = isoMoment(fromMs).split('T');
  if (lengthMs > 31 * dayMs) return date.slice(0, -'-MM-dd'.length);
  if (lengthMs > dayMs) return date.slice(0, -'-dd'.length);
  if (lengthMs === dayMs) return date;
  return `${date}T${time.slice(0, timeLengths.get(lengthMs) ?? -1)}Z`;
};

const timeLengths = new Map([
  [3_600_000, 'HH'.length],
  [60_000, 'HH:mm'.length],
  [1_000, 'HH:mm:ss'.length],
]);

/** Years as search servers write them: four digits even before the common era, a sign in front of more than four. */
export const isoMoment = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .replace(/^([+-])00(\d{4})/, (_, sign: string, year: string) => (sign === '-' ? `-${year}` : year));

/**
 * A date of a filter in ISO 8601, which means the same to every node of a network: unchanged if it already is, or is not a date.
 * @param format the mapping's `format`, or the formats of several nodes
 */
export const isoFilterDate = <Value extends string | number | boolean>(
  value: Value,
  format: string | undefined,
): Value | string => {
  if (typeof value === 'boolean') return value;
  const text = String(value);
  const at = text.indexOf('||');
  if (at > 0) return `${isoFilterDate(text.slice(0, at), format)}${text.slice(at)}`;
  if (dependsOnNow(text)) return value;
  const ms = parseFilterDate(value, format, 'down');
  if (ms === null) return value;
  return typeof value === 'number' ? isoMoment(ms) : (isoOf(value, filterFormat(format)) ?? value);
};

/** As parseFilterDate for a field that keeps nanoseconds, in nanoseconds since 1970. */
export const parseFilterNanos = (
  value: string | number,
  format: string | undefined,
  rounding: DateRounding,
  nowMs?: number,
): bigint | null => {
  const ms = parseFilterDate(value, format, rounding, nowMs);
  return ms === null
    ? null
    : BigInt(ms) * nanosInMs + BigInt(nanosBehindMs(String(value), undefined, rounding));
};

const isEpoch = (format: string): boolean => format === 'epoch_millis' || format === 'epoch_second';

const parsePlain = (text: string, formats: readonly string[], rounding: DateRounding): number | null => {
  for (const format of formats) {
    const ms = parseAs(text, format.trim(), rounding);
    if (ms !== null && Math.abs(ms) <= furthestMs) return ms;
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
const parseIsoDate = (text: string, rounding: DateRounding, isStrict: boolean): number | null => {
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

/** The engines' named formats as patterns, except those with optional parts. */
const patterns: Readonly<Record<string, string>> = {
  basic_date: 'yyyyMMdd',
  basic_date_time: "yyyyMMdd'T'HHmmss.SSSXX",
  basic_date_time_no_millis: "yyyyMMdd'T'HHmmssXX",
  date: 'yyyy-MM-dd',
  date_hour: "yyyy-MM-dd'T'HH",
  date_hour_minute: "yyyy-MM-dd'T'HH:mm",
  date_hour_minute_second: "yyyy-MM-dd'T'HH:mm:ss",
  date_hour_minute_second_fraction: "yyyy-MM-dd'T'HH:mm:ss.SSS",
  date_hour_minute_second_millis: "yyyy-MM-dd'T'HH:mm:ss.SSS",
  date_time: "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
  date_time_no_millis: "yyyy-MM-dd'T'HH:mm:ssXXX",
  year: 'yyyy',
  year_month: 'yyyy-MM',
  year_month_day: 'yyyy-MM-dd',
};

/** The pattern of a named format, with or without `strict_`; undefined if the name is not listed here. */
export const namedDatePattern = (format: string): string | undefined => {
  const name = format.startsWith('strict_') ? format.slice('strict_'.length) : format;
  return Object.hasOwn(patterns, name) ? patterns[name] : undefined;
};

type Unit = 'y' | 'M' | 'w' | 'd' | 'h' | 'H' | 'm' | 's';

const fixedMs: Readonly<Record<Exclude<Unit, 'y' | 'M'>, number>> = {
  w: 7 * dayMs,
  d: dayMs,
  h: 3_600_000,
  H: 3_600_000,
  m: 60_000,
  s: 1_000,
};
/** 1970-01-05 was the first Monday of the epoch; weeks start there. */
const firstMondayMs = 4 * dayMs;

/** Whether the meaning of a text changes with the clock. */
export const dependsOnNow = (text: string): boolean => text.startsWith('now');

/** Whether a text is date math: it begins with `now` or has `||` after its date. */
export const startsDateMath = (text: string): boolean => dependsOnNow(text) || text.includes('||');

/**
 * Date math as the engines define it: an anchor, then `+1M`, `-7d`, `/d` from left to right, in UTC.
 * @param parsePlain parses the anchor's date
 * @returns epoch ms, or null when it is malformed
 */
const parseDateMath = (
  text: string,
  rounding: DateRounding,
  nowMs: number,
  parsePlain: (date: string, rounding: DateRounding) => number | null,
): number | null => {
  const separator = text.indexOf('||');
  const anchor = dependsOnNow(text) ? nowMs : parsePlain(text.slice(0, separator), 'down');
  const maths = text.slice(dependsOnNow(text) ? 'now'.length : separator + '||'.length);
  if (anchor === null || !/^(?:\/[yMwdhHms]|[+-]\d{0,9}[yMwdhHms])*$/.test(maths)) return null;
  let ms = anchor;
  for (const [, operator, count, unit] of maths.matchAll(/([/+-])(\d*)([yMwdhHms])/g)) {
    const amount = count === '' ? 1 : Number(count);
    ms =
      operator === '/'
        ? rounded(ms, unit as Unit, rounding)
        : added(ms, unit as Unit, operator === '-' ? -amount : amount);
  }
  return Number.isFinite(ms) ? ms : null;
};

const rounded = (ms: number, unit: Unit, rounding: DateRounding): number => {
  const start = startOf(ms, unit);
  return rounding === 'up' ? added(start, unit, 1) - 1 : start;
};

const startOf = (ms: number, unit: Unit): number => {
  const date = new Date(ms);
  if (unit === 'y') return utcMs(date.getUTCFullYear(), 1, 1);
  if (unit === 'M') return utcMs(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  const origin = unit === 'w' ? firstMondayMs : 0;
  return Math.floor((ms - origin) / fixedMs[unit]) * fixedMs[unit] + origin;
};

/** A day that the target month lacks becomes its last: January 31 plus one month is the end of February. */
const added = (ms: number, unit: Unit, amount: number): number => {
  if (unit !== 'y' && unit !== 'M') return ms + amount * fixedMs[unit];
  const date = new Date(ms);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + amount * (unit === 'y' ? 12 : 1);
  const year = Math.floor(months / 12);
  const month = months - year * 12 + 1;
  const day = Math.min(date.getUTCDate(), daysInMonth(year, month));
  return utcMs(year, month, day) + (((ms % dayMs) + dayMs) % dayMs);
};

const monthsOf: Readonly<Record<CalendarUnit, number>> = { year: 12, quarter: 3, month: 1 };

/**
 * The starts of the intervals from the first to the last one, and the end of that, in epoch ms; at most one more than
 * `most`. Null unless `from` and `to` are dates in ascending order.
 * @param format accepted for the dates in addition to ISO 8601
 */
export const edgesOfCalendar = (
  { calendar, from, to }: Pick<DimensionConfig, 'calendar' | 'from' | 'to'>,
  max: number,
  format?: string,
): readonly number[] | null => {
  const [first, last] = [from, to].map((date) =>
    date === undefined ? null : (parseDate(date, undefined, 'down') ?? parseDate(date, format, 'down')),
  );
  if (calendar === undefined || first == null || last == null || last < first) return null;
  const step = monthsOf[calendar];
  const edges: number[] = [];
  let month = new Date(first).getUTCFullYear() * 12 + Math.floor(new Date(first).getUTCMonth() / step) * step;
  for (;;) {
    const start = utcMs(0, month + 1, 1);
    edges.push(start);
    if (start > last || edges.length > max) return edges;
    month += step;
  }
};
