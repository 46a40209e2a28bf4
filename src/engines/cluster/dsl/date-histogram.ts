import { calendarBetween, datesTooFar } from '../../semantics/calendar.ts';
import { requiredZone } from '../../semantics/time-zone.ts';
import { numberIn, objectIn, objectsIn } from '../client/answer.ts';
import type { WholeMeasure } from './whole-measure.ts';

/** Empty buckets are filled in here, as for a histogram. */
export const dateHistogram: WholeMeasure<'date_histogram'> = {
  ask: ({ field, measure: { interval, timeZone } }) => ({
    buckets: {
      date_histogram: {
        field: field.path,
        calendar_interval: interval,
        time_zone: requiredZone(timeZone).name,
        min_doc_count: 1,
      },
    },
  }),
  read: ({ field, measure: { interval, timeZone } }, answers) => {
    const found = objectsIn(objectIn(answers, 'buckets'), 'buckets');
    if (found.length === 0) return { kind: 'date_histogram', buckets: [] };
    const first = numberIn(found[0]!, 'key');
    const last = numberIn(found.at(-1)!, 'key');
    const calendar = calendarBetween(first, last, interval, requiredZone(timeZone));
    if (calendar === null) throw datesTooFar(field.path, first, last);
    const counts = new Uint32Array(calendar.starts.length);
    for (const bucket of found)
      counts[calendar.indexOf(numberIn(bucket, 'key'))]! += numberIn(bucket, 'doc_count');
    return { kind: 'date_histogram', buckets: calendar.buckets(counts) };
  },
};
