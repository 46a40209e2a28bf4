import type { Field } from './fields.ts';
import { tickStep } from 'd3-array';

/** The calendar intervals, with their lengths in days. */
const calendar = [
  ['year', 365.25],
  ['quarter', 91.3],
  ['month', 30.4],
  ['week', 7],
  ['day', 1],
] as const;

export type CalendarInterval = (typeof calendar)[number][0];

const dayMs = 86_400_000;

/** A round width that divides a span into about this many intervals; whole numbers stay whole. */
export const roundInterval = (span: number, isWhole: boolean, bins = 12): number => {
  const step = tickStep(0, span > 0 ? span : 1, bins);
  return isWhole ? Math.max(1, Math.round(step)) : step;
};

/** The longest calendar interval that gives at least half as many of them as wanted, or days. */
export const calendarInterval = (minMs: number, maxMs: number, bins = 12): CalendarInterval =>
  calendar.find(([, days]) => (maxMs - minMs) / (days * dayMs) >= bins / 2)?.[0] ?? 'day';

/** The end of a calendar interval that begins at a time. */
export const endOfInterval = (fromMs: number, interval: CalendarInterval): number => {
  if (interval === 'day') return fromMs + dayMs;
  if (interval === 'week') return fromMs + 7 * dayMs;
  const months = interval === 'year' ? 12 : interval === 'quarter' ? 3 : 1;
  const end = new Date(fromMs);
  return end.setUTCMonth(end.getUTCMonth() + months);
};

/** The range of a number or date over all records, over which its histogram is drawn. */
export interface Extent {
  readonly min: number;
  readonly max: number;
  /** The width of the range without the lowest and the highest hundredth; unset: not known. */
  readonly core?: number;
  /** The approximate number of intervals in that range; unset: a dozen. */
  readonly bins?: number;
}

/** By path. */
export interface Extents extends ReadonlyMap<string, Extent> {
  /** Some institution did not answer: it may have numbers beyond these, or other fields. */
  readonly areLacking?: boolean;
}

/** The interval of a date's histogram. */
export const dateInterval = (path: string, extents: Extents): CalendarInterval => {
  const { min, max, bins } = extents.get(path)!;
  return calendarInterval(min, max, bins);
};

const maxIntervals = 2_000;

/** The width of a number's intervals: few outliers do not widen it. */
export const numberInterval = ({ path, type }: Field, extents: Extents): number => {
  const { min, max, core = max - min, bins } = extents.get(path)!;
  const width = Math.max(Math.min(core, max - min), (max - min) / (maxIntervals / 12));
  return roundInterval(width, !/float|double/.test(type), bins);
};
