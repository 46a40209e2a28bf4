import type { DateRounding } from './date-parts.ts';
import { daysInMonth, utcMs } from './date-parts.ts';

type Unit = 'y' | 'M' | 'w' | 'd' | 'h' | 'H' | 'm' | 's';

const dayMs = 86_400_000;
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
export const parseDateMath = (
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
