import type { CalendarUnit, DimensionConfig } from '../fields/disclosure-config.ts';
import { parseDate } from './dates.ts';

const monthsOf: Readonly<Record<CalendarUnit, number>> = { year: 12, quarter: 3, month: 1 };

/**
 * The starts of the intervals from the first to the last one, and the end of that, in epoch ms; at most one more than
 * `most`. Null unless `from` and `to` are dates in ascending order.
 * @param format of the dates, besides ISO 8601
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
    const start = Date.UTC(Math.floor(month / 12), month % 12, 1);
    edges.push(start);
    if (start > last || edges.length > max) return edges;
    month += step;
  }
};
