import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';
import type { FacetQuery } from '../engine.ts';
import type { SurvivalResult, SurvivalTime, TermsResult } from '../measure.ts';

/** More distinct times cannot be drawn, and cost memory wherever they are counted. */
export const maxTimes = 10_000;

/** The list of values from which an event table is made. */
export const timesOf = ({
  field,
  filter,
  objects,
  measure,
}: FacetQuery<'survival'>): FacetQuery<'terms'> => ({
  ...{ field, filter, objects },
  measure: { kind: 'terms', size: maxTimes + 1, filters: measure.filters },
});

/**
 * The event table of a list of values that `timesOf` requested.
 * @throws TributaryError BAD_USER_INPUT for more than 10 000 distinct times
 */
export const eventTable = (
  { field: { path } }: { readonly field: { readonly path: string } },
  { buckets, missing }: Pick<TermsResult, 'buckets' | 'missing'>,
): SurvivalResult => {
  if (buckets.length > maxTimes) throw tooManyTimes(path);
  const all = buckets.map(({ key, count, filtered: [events = 0, known = 0] = [] }) => ({
    ...{ time: Number(key), count, events, known },
  }));
  const [negative, counted] = [all.filter(({ time }) => time < 0), all.filter(({ time }) => time >= 0)];
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  return {
    kind: 'survival',
    times: mergedTimes(
      counted.map(({ time, events, known }) => ({ time, events, censored: known - events })),
    ),
    noTime: missing,
    negativeTime: sum(negative.map(({ count }) => count)),
    noEvent: sum(counted.map(({ count, known }) => count - known)),
  };
};

/** Ascending, equal times merged, without times that have no event and no censoring. */
export const mergedTimes = (times: readonly SurvivalTime[]): readonly SurvivalTime[] => {
  const byTime = new Map<number, SurvivalTime>();
  for (const { time, events, censored } of times) {
    if (events + censored === 0) continue;
    const known = byTime.get(time);
    byTime.set(time, {
      time,
      events: events + (known?.events ?? 0),
      censored: censored + (known?.censored ?? 0),
    });
  }
  return [...byTime.values()].sort((a, b) => a.time - b.time);
};

/** The error for more distinct times than that. */
export const tooManyTimes = (path: string): TributaryError =>
  badUserInput(
    `survival of ${path} has more than ${maxTimes} distinct times; round them, to whole days for example, or narrow the filter`,
    { details: { fieldName: path } },
  );
