import { z } from 'zod';
import { calendarUnits } from './catalogue-config.ts';
import { optionalKey } from './key.ts';

const ascending = z
  .array(z.number({ error: 'a number expected' }))
  .min(1)
  .refine((edges) => edges.every((edge, index) => index === 0 || edge > edges[index - 1]!), {
    error: 'numbers in ascending order expected',
  });

/** Keys of a dimension whose values are counted between edges. */
export const intervalKeys = {
  edges: optionalKey(ascending, 'For numbers: the edges between which they are counted.'),
  calendar: optionalKey(
    z.enum(calendarUnits, { error: 'one of "year", "quarter" and "month" expected' }),
    'For dates: the interval of counts, with `from` and `to`.',
  ),
  from: optionalKey(z.string(), 'The first interval: `2015`, `2015-04`.'),
  to: optionalKey(z.string(), 'The last one.'),
};

interface Calendar {
  readonly calendar?: unknown;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Whether `calendar`, `from` and `to` are either all there or all absent. */
export const isWholeCalendar = ({ calendar, from, to }: Calendar): boolean =>
  (calendar === undefined) === (from === undefined) && (from === undefined) === (to === undefined);
