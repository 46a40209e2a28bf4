import { TributaryError } from '../../../src/lib/errors/errors.ts';
import type { FacetResult, Measure } from '../../../src/engines/measure.ts';
import { requiredZone } from '../../../src/engines/semantics/time-zone.ts';

type DateHistogram = Measure<'date_histogram'>;

const hour = 3_600_000;
const day = 24 * hour;

/** A calendar's histogram, each date and each moment between them computed by the platform on its own. */
export const dateHistogram = (lists: readonly (readonly number[])[], measure: DateHistogram): FacetResult => {
  const values = lists.flat();
  if (values.length === 0) return { kind: 'date_histogram', buckets: [] };
  requiredZone(measure.timeZone);
  const clock = clockFor(measure);
  const counts = new Map<number, number>();
  for (const list of lists)
    for (const start of new Set(list.map(clock.startOf))) counts.set(start, (counts.get(start) ?? 0) + 1);
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())];
  if ((last - first) / clock.least > 65_536) throw new TributaryError('BAD_USER_INPUT', 'too many buckets');
  const starts = new Set<number>([first, last]);
  for (let at = first; at < last; at += clock.least * 0.9) {
    const start = clock.startOf(at);
    if (start >= first && start <= last) starts.add(start);
    if (starts.size > 65_536) throw new TributaryError('BAD_USER_INPUT', 'too many buckets');
  }
  return {
    kind: 'date_histogram',
    buckets: [...starts]
      .sort((one, other) => one - other)
      .map((start) => ({
        key: String(start),
        keyAsString: clock.text(start),
        count: counts.get(start) ?? 0,
      })),
  };
};

/** Random documents and queries come back to the same days of few zones. */
const clocks = new Map<string, ReturnType<typeof clockOf>>();

const clockFor = (measure: DateHistogram): ReturnType<typeof clockOf> => {
  const key = `${measure.interval} ${measure.timeZone}`;
  const known = clocks.get(key);
  if (known !== undefined) return known;
  const clock = clockOf(measure);
  clocks.set(key, clock);
  return clock;
};

const clockOf = ({ interval, timeZone }: DateHistogram) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  /** What clocks show, as if it were UTC. */
  const local = (ms: number): number => {
    // `2/15/1200 BC, 14:22:41`
    const shown = format.format(ms);
    const [month, day, year, ...time] = shown.match(/\d+/g)!.map(Number) as [
      number,
      number,
      number,
      ...number[],
    ];
    const [hours, minutes, seconds] = time as [number, number, number];
    const date = new Date(0);
    date.setUTCFullYear(shown.includes('B') ? 1 - year : year, month - 1, day);
    date.setUTCHours(hours, minutes, seconds, ((ms % 1000) + 1000) % 1000);
    return date.getTime();
  };
  const offsets = new Map<number, number>();
  const offset = (ms: number): number => {
    const found = offsets.get(ms) ?? local(ms) - ms;
    if (offsets.size < 500_000) offsets.set(ms, found);
    return found;
  };
  const known = new Map<number, number>();
  const firstShown = (midnight: number): number => {
    const found = known.get(midnight) ?? findShown(midnight, offset);
    known.set(midnight, found);
    return found;
  };
  const startOf = (ms: number): number =>
    interval === 'hour' ? hourOf(ms, offset) : firstShown(midnightOf(local(ms), interval));
  const text = (ms: number): string => {
    const shift = offset(ms);
    const sign = shift < 0 ? '-' : '+';
    const clock = new Date(Math.abs(shift)).toISOString().slice(11, 19).replace(/:00$/, '');
    return new Date(ms + shift).toISOString().replace('Z', shift === 0 ? 'Z' : `${sign}${clock}`);
  };
  const least = { hour, day, week: 7 * day, month: 28 * day, quarter: 90 * day, year: 365 * day }[interval];
  return { startOf, text, least };
};

/** An hour begins where clocks show it full; one that clocks change in goes on till they show the next. */
const hourOf = (ms: number, offset: (ms: number) => number): number => {
  const start = ms - ((((ms + offset(ms)) % hour) + hour) % hour);
  if (offset(start) === offset(ms)) return start;
  let changed = ms;
  while (offset(changed - 1_000) === offset(ms)) changed -= 1_000;
  while (offset(changed - 1) === offset(ms)) changed -= 1;
  return (changed + offset(changed)) % hour === 0 ? changed : hourOf(changed - 1, offset);
};

const midnightOf = (local: number, interval: DateHistogram['interval']): number => {
  const date = new Date(Math.floor(local / day) * day);
  if (interval === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (interval === 'month' || interval === 'quarter' || interval === 'year') date.setUTCDate(1);
  if (interval === 'quarter') date.setUTCMonth(date.getUTCMonth() - (date.getUTCMonth() % 3));
  if (interval === 'year') date.setUTCMonth(0);
  return date.getTime();
};

/** The first moment that shows a midnight; of those that clocks leave out, when they do so. */
const findShown = (midnight: number, offset: (ms: number) => number): number => {
  // no zone keeps an offset for less than six hours
  const offsets = new Set(Array.from({ length: 10 }, (_, at) => offset(midnight + (at * 6 - 27) * hour)));
  const shown = [...offsets].map((one) => midnight - one).filter((at) => at + offset(at) === midnight);
  if (shown.length > 0) return Math.min(...shown);
  let [below, above] = [midnight - 26 * hour, midnight + 26 * hour];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (middle + offset(middle) < midnight) below = middle;
    else above = middle;
  }
  return above;
};
