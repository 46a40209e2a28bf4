import type { Field } from './fields.ts';
import { calendarInterval, roundInterval, type CalendarInterval } from './intervals.ts';

/** Where the values of a number or date lie, over all records: what its histogram is drawn over. */
export interface Extent {
  readonly min: number;
  readonly max: number;
  /** The width of the stretch that all but the lowest and the highest hundredth lie in; unset: not known. */
  readonly core?: number;
  /** About how many intervals that stretch has; unset: a dozen. */
  readonly bins?: number;
}

export type Extents = ReadonlyMap<string, Extent>;

/** The interval of a date's histogram. */
export const dateInterval = (path: string, extents: Extents): CalendarInterval => {
  const { min, max, bins } = extents.get(path)!;
  return calendarInterval(min, max, bins);
};

const maxIntervals = 2_000;

/** The width of a number's intervals: few values far away from the others do not widen it. */
export const numberInterval = ({ path, type }: Field, extents: Extents): number => {
  const { min, max, core = max - min, bins } = extents.get(path)!;
  const width = Math.max(Math.min(core, max - min), (max - min) / (maxIntervals / 12));
  return roundInterval(width, !/float|double/.test(type), bins);
};
