import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';
import { utcMs } from '../../introspection/dates/date-pattern.ts';
import type { CalendarInterval, CountedBucket } from '../measure.ts';
import { intervalTooSmall, maxHistogramBuckets } from './bucket-key.ts';
import { transitionBetween, zonedIso, type TimeZone } from './time-zone.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

interface Unit {
  /** The approximate and the maximum length, in milliseconds. */
  readonly aboutMs: number;
  readonly maxMs: number;
}

/** From the finest to the coarsest. */
const units: Readonly<Record<CalendarInterval, Unit>> = {
  hour: { aboutMs: hourMs, maxMs: 2 * hourMs },
  day: { aboutMs: dayMs, maxMs: 2 * dayMs },
  week: { aboutMs: 7 * dayMs, maxMs: 8 * dayMs },
  month: { aboutMs: 30.44 * dayMs, maxMs: 32 * dayMs },
  quarter: { aboutMs: 91.31 * dayMs, maxMs: 93 * dayMs },
  year: { aboutMs: 365.24 * dayMs, maxMs: 367 * dayMs },
};

/** From the finest to the coarsest. */
export const calendarIntervals = Object.keys(units) as readonly CalendarInterval[];

/** The approximate length of an interval, in milliseconds. */
export const intervalMs = (interval: CalendarInterval): number => units[interval].aboutMs;

/** The limit of JavaScript dates, less 400 days so that every calendar interval around a date is representable. */
const furthestMs = 8.64e15 - 400 * dayMs;

/** Consecutive calendar intervals from one date to another. */
export interface Calendar {
  /** The start of each interval, epoch ms, ascending. */
  readonly starts: Float64Array;
  /** The index of the interval that a date within the range falls into. */
  readonly indexOf: (ms: number) => number;
  /** Converts counts by index to buckets, from the first to the last that `isShown`: by default, those with a count. */
  readonly buckets: (
    counts: Uint32Array | Float64Array,
    isShown?: (count: number) => boolean,
  ) => readonly CountedBucket[];
}

/**
 * The intervals from one date to another: days start at midnight, weeks on Monday, in the zone's local time. A day
 * without a midnight starts when its clocks first show it. The zone's offsets are not needed afterwards.
 * @param checkpoint called periodically; may throw
 * @returns null for more intervals than a histogram may have
 */
export const calendarBetween = (
  first: number,
  last: number,
  interval: CalendarInterval,
  zone: TimeZone,
  checkpoint: () => void = () => undefined,
): Calendar | null => {
  const isTooLong = (last - first) / units[interval].maxMs > maxHistogramBuckets;
  if (isTooLong || Math.max(Math.abs(first), Math.abs(last)) > furthestMs) return null;
  const steps = interval === 'hour' ? hours(first, zone) : midnights(first, interval, zone);
  const edges: Edge[] = [];
  let count = 0;
  for (const { at, back } of steps) {
    if (at > last) break;
    if (count === maxHistogramBuckets) return null;
    if ((count & 1023) === 0) checkpoint();
    edges.push({ at, index: count, isStart: true });
    // clocks set back across midnight show the previous day again
    if (back !== null)
      edges.push(
        { at: back.from, index: count - 1, isStart: false },
        { at: back.to, index: count, isStart: false },
      );
    count += 1;
  }
  return calendarOf(edges, zone);
};

/** From `at` on, dates fall into the interval with that index. */
interface Edge {
  readonly at: number;
  readonly index: number;
  readonly isStart: boolean;
}

const calendarOf = (edges: readonly Edge[], zone: TimeZone): Calendar => {
  const starts = Float64Array.from(
    edges.filter(({ isStart }) => isStart),
    ({ at }) => at,
  );
  const from = Float64Array.from(edges, ({ at }) => at);
  const indexes = Int32Array.from(edges, ({ index }) => Math.max(index, 0));
  const end = from.length - 1;
  const width = end > 0 ? (from[end]! - from[0]!) / end : Infinity;
  return {
    starts,
    // intervals are of similar length, so the position can be estimated closely
    indexOf: (ms) => {
      let index = Math.min(Math.max(Math.floor((ms - from[0]!) / width), 0), end);
      while (index > 0 && from[index]! > ms) index -= 1;
      while (index < end && from[index + 1]! <= ms) index += 1;
      return indexes[index]!;
    },
    buckets: (counts, isShown = (count) => count > 0) => {
      const first = counts.findIndex(isShown);
      const past = counts.findLastIndex(isShown) + 1;
      return Array.from(starts.subarray(Math.max(first, 0), past), (at, index) => ({
        key: String(at),
        keyAsString: zonedIso(at, zone.offsetAt(at)),
        count: counts[first + index]!,
      }));
    },
  };
};

/** The start of an interval; `back`: from when until when clocks show the previous interval again. */
interface Step {
  readonly at: number;
  readonly back: { readonly from: number; readonly to: number } | null;
}

/** Hours of local time. An hour in which the clocks change lasts until they show the next full hour. */
function* hours(first: number, zone: TimeZone): Generator<Step> {
  let at = startOfHour(first, zone);
  let offset = zone.offsetAt(at);
  for (;;) {
    yield { at, back: null };
    const next = at + hourMs;
    const nextOffset = zone.offsetAt(next);
    if (nextOffset === offset) {
      at = next;
      continue;
    }
    const change = transitionBetween(zone, at, next);
    const pastHour = modulo(change + nextOffset, hourMs);
    at = pastHour === 0 ? change : change + hourMs - pastHour;
    offset = nextOffset;
  }
}

const startOfHour = (ms: number, zone: TimeZone): number => {
  const offset = zone.offsetAt(ms);
  const start = ms - modulo(ms + offset, hourMs);
  if (zone.offsetAt(start) === offset) return start;
  const change = transitionBetween(zone, start, ms);
  return modulo(change + offset, hourMs) === 0 ? change : startOfHour(change - 1, zone);
};

type MidnightInterval = Exclude<CalendarInterval, 'hour'>;

function* midnights(first: number, interval: MidnightInterval, zone: TimeZone): Generator<Step> {
  let local = startOfLocal(first + zone.offsetAt(first), interval);
  // a later date may show the previous day
  if (firstMidnight(local, zone).back !== null) local = startOfLocal(local - 1, interval);
  let known = -Infinity;
  for (;;) {
    const step = firstMidnight(local, zone);
    // a day skipped by a zone has no duration
    if (step.at > known) yield step;
    known = Math.max(known, step.at);
    local = nextLocal(local, interval);
  }
}

/** The start of the interval containing a local time, expressed as if it were UTC. */
const startOfLocal = (local: number, interval: MidnightInterval): number => {
  const date = new Date(local);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const midnight = local - modulo(local, dayMs);
  switch (interval) {
    case 'day':
      return midnight;
    case 'week':
      return midnight - modulo(date.getUTCDay() - 1, 7) * dayMs;
    case 'month':
      return utcMs(year, month + 1, 1);
    case 'quarter':
      return utcMs(year, month - (month % 3) + 1, 1);
    case 'year':
      return utcMs(year, 1, 1);
  }
};

const nextLocal = (start: number, interval: MidnightInterval): number => {
  const date = new Date(start);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (interval) {
    case 'day':
      return start + dayMs;
    case 'week':
      return start + 7 * dayMs;
    case 'month':
      return utcMs(year, month + 2, 1);
    case 'quarter':
      return utcMs(year, month + 4, 1);
    case 'year':
      return utcMs(year + 1, 1, 1);
  }
};

/** When clocks first show a midnight, or the first time after one that they skip. */
const firstMidnight = (local: number, zone: TimeZone): Step => {
  const before = zone.offsetAt(local - dayMs);
  const after = zone.offsetAt(local + dayMs);
  if (before === after) return { at: local - before, back: null };
  const earlier = local - before;
  const later = local - after;
  const isEarlier = zone.offsetAt(earlier) === before;
  const isLater = zone.offsetAt(later) === after;
  if (!isEarlier && !isLater) return { at: transitionBetween(zone, later, earlier), back: null };
  if (!isEarlier || !isLater) return { at: isEarlier ? earlier : later, back: null };
  const change = transitionBetween(zone, earlier, later);
  return { at: earlier, back: change + after < local ? { from: change, to: later } : null };
};

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** The error for dates too far apart for a calendar interval, shared by everything that counts them. */
export const datesTooFar = (path: string, first: number, last: number): TributaryError => {
  const fits = (interval: CalendarInterval): boolean =>
    (last - first) / intervalMs(interval) < maxHistogramBuckets - 2;
  const smallest = calendarIntervals.find(fits);
  if (smallest !== undefined && Math.max(Math.abs(first), Math.abs(last)) <= furthestMs)
    return intervalTooSmall(path, smallest, 'date_histogram');
  return badUserInput(
    `date_histogram of ${path} has dates too far from each other for any interval; narrow them with a filter`,
    { details: { field: path } },
  );
};
