import type {
  LogCount,
  LogCountsResult,
  RangeBucketQuery,
  StatsResult,
  SurvivalTime,
} from '../../engines/measure.ts';
import { mergedTimes } from '../../engines/semantics/event-table.ts';
import { boundsOf, logIndex, type Sign } from '../../engines/semantics/log-counts.ts';
import type { FacetAnswer } from '../../search/nodes-answer.ts';
import type { FacetMeasure } from '../../search/query.ts';
import type { NodeUnit } from '../config/nodes.ts';
import type { Measured } from './converted-filter.ts';
import { converted, edgeAt, scaled } from './unit.ts';

/** The measures that are converted; other measures that count values would confuse them with other values. */
export const measuredKinds = new Set([
  'stats',
  'histogram',
  'range',
  'percentiles',
  'cardinality',
  'survival',
]);

/** The request to a node for a facet in the network's numbers. */
export const ownMeasure = (measure: FacetMeasure, target: Measured): FacetMeasure => {
  if (measure.kind === 'range')
    return { ...measure, ranges: measure.ranges.map((range) => ownRange(range, target)) };
  if (measure.kind !== 'histogram') return measure;
  return { ...measure, interval: scaledInterval(measure.interval, target.unit) };
};

const scaledInterval = (interval: number, { factor }: NodeUnit): number => Math.abs(interval / factor);

/** Whether a node's own buckets equal those of a histogram in the network's numbers; for Infinity, those of any histogram. */
export const isAligned = (interval: number, { factor, offset }: NodeUnit): boolean =>
  factor > 0 && (offset === 0 || (interval < Infinity && Number.isInteger(offset / interval)));

const ownRange = ({ key, from, to }: RangeBucketQuery, { unit, isWhole }: Measured): RangeBucketQuery => {
  const [first, end] = unit.factor > 0 ? [from, to] : [to, from];
  const edge = (at: number | string): number =>
    Math.min(Number.MAX_VALUE, edgeAt(Number(at), false, unit, isWhole));
  return {
    key,
    ...(first !== undefined && { from: edge(first) }),
    ...(end !== undefined && { to: edge(end) }),
  };
};

/** Converts a node's answer to the network's numbers. @param measure as the network requested it */
export const convertedFacet = (
  answer: FacetAnswer,
  measure: FacetMeasure,
  { unit }: Measured,
): FacetAnswer => {
  if (answer.kind === 'stats') return convertedStats(answer, unit);
  if (answer.kind === 'percentiles') return convertedCounts(answer, unit);
  if (answer.kind === 'survival') return { ...answer, times: convertedTimes(answer.times, unit) };
  if (answer.kind !== 'histogram' || measure.kind !== 'histogram') return answer;
  const { interval } = measure;
  const step = scaledInterval(interval, unit);
  const shift = unit.offset / interval;
  const keyOf = (key: string): string => String((Math.round(Number(key) / step) + shift) * interval);
  return { ...answer, buckets: answer.buckets.map((bucket) => ({ ...bucket, key: keyOf(bucket.key) })) };
};

const convertedTimes = (times: readonly SurvivalTime[], unit: NodeUnit): readonly SurvivalTime[] =>
  mergedTimes(times.map((time) => ({ ...time, time: converted(time.time, unit) })));

const convertedStats = (answer: StatsResult, unit: NodeUnit): StatsResult => {
  const { count, min, max, sum } = answer;
  const ends = [min, max].map((end) => (end === null ? null : converted(Number(end), unit)));
  const [least, greatest] = unit.factor > 0 ? ends : ends.toReversed();
  const total = sum === null ? null : scaled(sum, unit.factor) + count * unit.offset;
  return {
    ...answer,
    min: least ?? null,
    max: greatest ?? null,
    sum: total,
    avg: total === null || count === 0 ? null : total / count,
  };
};

/** Each bucket moves to where its midpoint is shown: its values then lie in that bucket or next to it. */
const convertedCounts = (answer: LogCountsResult, unit: NodeUnit): LogCountsResult => {
  const { level, positive, negative } = answer;
  let { zero } = answer;
  const counts = { positive: new Map<number, number>(), negative: new Map<number, number>() };
  const add = (number: number, count: number): void => {
    const convertedNumber = converted(number, unit);
    if (convertedNumber === 0) zero += count;
    else {
      const of = counts[convertedNumber > 0 ? 'positive' : 'negative'];
      const index = logIndex(convertedNumber) >> level;
      of.set(index, (of.get(index) ?? 0) + count);
    }
  };
  const middle = (sign: Sign, index: number): number => {
    const [from, to] = boundsOf(sign, index << level, 1 << level);
    return Math.max(from, -Number.MAX_VALUE) / 2 + Math.min(to, Number.MAX_VALUE) / 2;
  };
  for (const [index, count] of positive) add(middle('positive', index), count);
  for (const [index, count] of negative) add(middle('negative', index), count);
  return {
    ...answer,
    zero,
    positive: ascending(counts.positive),
    negative: ascending(counts.negative),
    shifted: true,
  };
};

const ascending = (counts: ReadonlyMap<number, number>): readonly LogCount[] =>
  [...counts].sort(([a], [b]) => a - b);
