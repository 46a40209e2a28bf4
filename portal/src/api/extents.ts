import type { Field } from './fields.ts';
import { calendarInterval, roundInterval, type CalendarInterval } from './intervals.ts';

/** The smallest and largest value of each number and date, over all records: what histograms are drawn over. */
export type Extents = ReadonlyMap<string, { readonly min: number; readonly max: number }>;

/** The interval of a date's histogram. */
export const dateInterval = (path: string, extents: Extents): CalendarInterval => {
  const { min, max } = extents.get(path)!;
  return calendarInterval(min, max);
};

/** The width of a number's intervals. */
export const numberInterval = ({ path, type }: Field, extents: Extents): number => {
  const { min, max } = extents.get(path)!;
  return roundInterval(min, max, !/float|double/.test(type));
};
