import { GraphQLString } from 'graphql';
import type { CalendarInterval } from '../../engines/measure.ts';
import type { Calendar } from '../../engines/semantics/calendar.ts';
import {
  calendarBetween,
  calendarIntervals,
  datesTooFar,
  intervalMs,
} from '../../engines/semantics/calendar.ts';
import { maxHistogramBuckets } from '../../engines/semantics/bucket-key.ts';
import { requiredZone } from '../../engines/semantics/time-zone.ts';
import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';
import type { SelectedField } from '../../lib/graphql/execution.ts';
import { existsIn, lowerOf } from '../count.ts';
import type { FacetMeasure } from '../query.ts';
import { resultsOf } from './row/answer-shape.ts';
import {
  countedSelection,
  extent,
  otherInterval,
  withNodeCounts,
  type Counts,
} from './row/counted-buckets.ts';
import { sent, type FacetField, type MeasureRow } from './row/measure-row.ts';
import { countsReader, numeral } from './row/wire.ts';

type DateMeasure = FacetMeasure<'date_histogram'>;

const field: FacetField = {
  type: 'buckets',
  description:
    'Dates by the intervals of a calendar, empty ones between the first and the last included. Keys are the starts in milliseconds since 1970, key_as_string gives them in the time zone.',
  args: {
    interval: {
      type: GraphQLString,
      defaultValue: 'month',
      description: '"year", "quarter", "month", "week" (from Monday), "day" or "hour".',
    },
    timeZone: {
      type: GraphQLString,
      defaultValue: 'UTC',
      description: 'The time zone of the days, such as "Europe/Paris" or "+05:30".',
    },
  },
};

const isInterval = (name: string): name is CalendarInterval =>
  (calendarIntervals as readonly string[]).includes(name);

/** @throws TributaryError BAD_USER_INPUT for an interval that the calendar does not have, or an unknown time zone */
const measureOf = ({ args }: SelectedField): DateMeasure => {
  const interval = (args['interval'] as string | null | undefined) ?? 'month';
  const name = (args['timeZone'] as string | null | undefined) ?? 'UTC';
  if (!isInterval(interval))
    throw badUserInput(
      `interval of date_histogram must be one of ${calendarIntervals.join(', ')}, not ${JSON.stringify(interval.slice(0, 100))}`,
    );
  return { kind: 'date_histogram', interval, timeZone: requiredZone(name).name };
};

/** Dates by calendar intervals: days and longer ones in local time of a time zone. */
export const dateHistogram: MeasureRow<'date_histogram'> = {
  fields: { numbers: { date_histogram: field } },
  ...countedSelection('date_histogram', measureOf),
  toEngine: (measure) => ({ ...measure, timeZone: requiredZone(measure.timeZone).name }),
  toNode: sent,
  isOfCells: () => true,
  remoteField: 'date_histogram',
  print: ({ interval, timeZone: zone }, counts) =>
    `date_histogram(interval: ${JSON.stringify(interval)}, timeZone: ${JSON.stringify(zone)}) { buckets { key ${counts} } }`,
  read: (value, { measure, field: name }) => ({
    kind: 'date_histogram',
    buckets: readStarts(readCounts(value, name), measure, name),
  }),
  merge: (parts, { measure, field: { path } }) => {
    const all = resultsOf(parts).flatMap(({ buckets }) => buckets);
    const buckets = summed(all, measure, (first, last) => datesTooFar(path, first, last));
    return { kind: 'date_histogram', buckets: withNodeCounts(buckets, parts, Number) };
  },
};

const readCounts = countsReader(numeral, maxHistogramBuckets);

/**
 * Aligns keys with our own intervals: a node may have other time zone rules, so that its days begin an hour off. Any
 * other key would be counted in the wrong bucket.
 */
const readStarts = (buckets: Counts, measure: DateMeasure, name: string): Counts => {
  const malformed = otherInterval(name);
  const near = Math.min(intervalMs(measure.interval) / 4, intervalMs('hour'));
  const shifted = buckets.map((bucket) => ({ ...bucket, at: Number(bucket.key) + near }));
  if (shifted.length === 0) return [];
  const calendar = calendarOver(
    shifted.map(({ at }) => at),
    measure,
    () => malformed,
  );
  return shifted.map(({ at, ...bucket }) => {
    const start = calendar.starts[calendar.indexOf(at)]!;
    if (Math.abs(at - near - start) > near) throw malformed;
    return { ...bucket, key: String(start) };
  });
};

/** The nodes' counts by interval start as one list without gaps, from the first to the last that may have any. */
const summed = (
  all: Counts,
  measure: DateMeasure,
  tooFar: (first: number, last: number) => TributaryError,
): Counts => {
  const parts = all.filter((part) => existsIn(part.count) !== false);
  if (parts.length === 0) return [];
  const calendar = calendarOver(
    parts.map(({ key }) => Number(key)),
    measure,
    tooFar,
  );
  const counts = new Float64Array(calendar.starts.length);
  for (const { key, count } of parts) counts[calendar.indexOf(Number(key))]! += lowerOf(count);
  return calendar.buckets(counts, () => true);
};

const calendarOver = (
  starts: readonly number[],
  { interval, timeZone: zone }: DateMeasure,
  tooFar: (first: number, last: number) => TributaryError,
): Calendar => {
  const [first, last] = extent(starts);
  const calendar = calendarBetween(first, last, interval, requiredZone(zone));
  if (calendar === null) throw tooFar(first, last);
  return calendar;
};
