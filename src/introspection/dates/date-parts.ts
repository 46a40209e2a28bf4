/** Whether the omitted parts of a date mean its first or last moment: `2020` is its start or its end. */
export type DateRounding = 'down' | 'up';

/** The parts of a date text; omitted ones are absent. Years before the common era count down from 0. */
export interface DateParts {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
  readonly ms?: number;
  /** Minutes east of UTC. */
  readonly offset?: number;
}

const first = { year: 1970, month: 1, hour: 0, minute: 0, second: 0, ms: 0 };
const last = { year: 1970, month: 12, hour: 23, minute: 59, second: 59, ms: 999 };

/** Epoch ms of the parts, omitted ones filled by rounding; null when there is no such date. */
export const msOfParts = (parts: DateParts, rounding: DateRounding): number | null => {
  const open = rounding === 'up' ? last : first;
  const year = parts.year ?? open.year;
  const month = parts.month ?? open.month;
  const day = parts.day ?? (rounding === 'up' ? daysInMonth(year, month) : 1);
  const hour = parts.hour ?? open.hour;
  const minute = parts.minute ?? open.minute;
  const second = parts.second ?? open.second;
  const ms = parts.ms ?? open.ms;
  const exists =
    month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month) && hour < 24 && minute < 60;
  if (!exists || second >= 60) return null;
  return utcMs(year, month, day) + ((hour * 60 + minute - (parts.offset ?? 0)) * 60 + second) * 1000 + ms;
};

/** Epoch ms of midnight UTC; unlike in Date.UTC, years 0 to 99 are taken literally. */
export const utcMs = (year: number, month: number, day: number): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime();
};

/** Days of a month (1 to 12) in the proleptic Gregorian calendar. */
export const daysInMonth = (year: number, month: number): number => {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? (leap ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
};

/** Minutes east of UTC of `Z`, `+02`, `+0200`, `+02:00`; null for anything else. */
export const offsetMinutes = (zone: string): number | null => {
  if (zone === 'Z' || zone === 'z') return 0;
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (match === null) return null;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return minutes > 18 * 60 ? null : match[1] === '-' ? -minutes : minutes;
};

/** Milliseconds from the digits after a decimal point; finer digits are truncated. */
export const fractionMs = (digits: string): number => Number(digits.slice(0, 3).padEnd(3, '0'));
