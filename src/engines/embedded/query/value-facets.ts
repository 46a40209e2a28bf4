import type { IndexField } from '../../../introspection/fields/field.ts';
import type { BucketsResult, Measure, RangeBucketQuery, StatsResult } from '../../measure.ts';
import {
  intervalKey,
  isWhole,
  assertInterval,
  histogramTooFine,
  maxHistogramBuckets,
} from '../../semantics/bucket-key.ts';
import { pieceMask, type Checkpoint } from '../columns/search-run.ts';
import { NumberBlocks } from '../columns/number-blocks.ts';
import { numbersOf, type NumberColumn } from '../columns/number-column.ts';
import { readNumber } from '../../semantics/stored-numbers.ts';
import { shownWhole } from '../../../lib/json/json.ts';
import type { FacetScope } from './facet-scope.ts';
import type { FacetQuery } from '../../engine.ts';
import { calendarBetween, datesTooFar } from '../../semantics/calendar.ts';
import { requiredZone } from '../../semantics/time-zone.ts';

type HistogramMeasure = Measure<'histogram'>;

/** Count, extremes and sum of the column's values over a scope; null for a field without values. */
export const statsFacet = (
  data: NumberColumn | null,
  scope: FacetScope,
  checkpoint: Checkpoint,
): StatsResult => {
  let count = 0;
  let min = Infinity;
  let max = -Infinity;
  // Kahan's compensated sum, which Elasticsearch uses too
  let sum = 0;
  let lost = 0;
  const blocks = new NumberBlocks(data, scope.ids, checkpoint);
  while (blocks.next()) {
    const { values, length } = blocks;
    count += length;
    for (let i = 0; i < length; i++) {
      const value = values[i]!;
      if (value < min) min = value;
      if (value > max) max = value;
      const corrected = value - lost;
      const next = sum + corrected;
      lost = next - sum - corrected;
      sum = next;
    }
  }
  if (count === 0) return { kind: 'stats', count, min: null, max: null, sum: null, avg: null };
  const { least = min, greatest = max } = exactExtremes(data, scope, [min, max], checkpoint);
  return { kind: 'stats', count, min: least, max: greatest, sum, avg: sum / count };
};

/** Extremes beyond 2^53 in digits; none where doubles are exact. */
const exactExtremes = (
  data: NumberColumn | null,
  scope: FacetScope,
  extremes: readonly number[],
  checkpoint: Checkpoint,
): { readonly least?: number | string; readonly greatest?: number | string } => {
  if (data === null || !isExact(data) || extremes.every(Number.isSafeInteger)) return {};
  let [least, greatest]: (number | bigint)[] = [Infinity, -Infinity];
  for (const [value] of exactValues(data, scope, checkpoint)) {
    if (value < least!) least = value;
    if (value > greatest!) greatest = value;
  }
  return { least: shownWhole(BigInt(least!)), greatest: shownWhole(BigInt(greatest!)) };
};

/** Whether it holds whole numbers that doubles cannot distinguish. */
const isExact = (data: NumberColumn): boolean => !data.isNanos && data.exact.some((exact) => exact !== null);

/** Each value of a scope without rounding, and the object that has it. */
const exactValues = function* (
  data: NumberColumn,
  { ids }: FacetScope,
  checkpoint: Checkpoint,
): Generator<readonly [value: number | bigint, id: number]> {
  for (const [index, id] of ids.entries()) {
    if ((index & pieceMask) === 0) checkpoint();
    for (const value of numbersOf(data, id)) yield [value, id];
  }
};

/** The least and the greatest value of the column over a scope; null for a scope without values. */
const extentOf = (
  data: NumberColumn | null,
  scope: FacetScope,
  checkpoint: Checkpoint,
): { readonly min: number; readonly max: number } | null => {
  let min = Infinity;
  let max = -Infinity;
  const blocks = new NumberBlocks(data, scope.ids, checkpoint);
  while (blocks.next()) {
    const { values, length } = blocks;
    for (let i = 0; i < length; i++) {
      const value = values[i]!;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  return min > max ? null : { min, max };
};

/**
 * Buckets of equal width without gaps; an object counts once per bucket.
 * @throws TributaryError BAD_USER_INPUT for an interval that is not positive or produces too many buckets
 */
export const histogramFacet = (
  field: IndexField,
  data: NumberColumn | null,
  scope: FacetScope,
  { interval, offset = 0 }: HistogramMeasure,
  checkpoint: Checkpoint,
): BucketsResult<'histogram'> => {
  assertInterval(field.path, interval);
  const extent = extentOf(data, scope, checkpoint);
  if (extent === null) return { kind: 'histogram', buckets: [] };
  const { min, max } = extent;
  const first = Math.floor((min - offset) / interval);
  const size = Math.floor((max - offset) / interval) - first + 1;
  if (!(size <= maxHistogramBuckets)) throw histogramTooFine(field.path, field.type, max - min);
  const counts = new Uint32Array(size);
  const last = new Float64Array(size).fill(-1);
  const blocks = new NumberBlocks(data, scope.ids, checkpoint);
  while (blocks.next()) {
    const { values, ids, length } = blocks;
    for (let i = 0; i < length; i++) {
      const bucket = Math.floor((values[i]! - offset) / interval) - first;
      if (last[bucket] === ids[i]!) continue;
      last[bucket] = ids[i]!;
      counts[bucket]!++;
    }
  }
  const whole = isWhole(field.type);
  return {
    kind: 'histogram',
    buckets: Array.from(counts, (bucket, i) => ({
      key: intervalKey((first + i) * interval + offset, whole),
      count: bucket,
    })),
  };
};

/** Counts the objects with a value in each range; from <= value < to. */
export const rangeFacet = (
  data: NumberColumn | null,
  scope: FacetScope,
  ranges: readonly RangeBucketQuery[],
  checkpoint: Checkpoint,
): BucketsResult<'range'> => {
  const counters = ranges.map((range) => new RangeCounter(range));
  if (data !== null && isExact(data)) {
    for (const [value, id] of exactValues(data, scope, checkpoint))
      for (const counter of counters) counter.addExact(value, id);
    return { kind: 'range', buckets: counters.map(({ key, count }) => ({ key, count })) };
  }
  const blocks = new NumberBlocks(data, scope.ids, checkpoint);
  while (blocks.next()) {
    for (const counter of counters) {
      checkpoint();
      counter.add(blocks);
    }
  }
  return { kind: 'range', buckets: counters.map(({ key, count }) => ({ key, count })) };
};

/** Counts the objects of one range. */
class RangeCounter {
  readonly key: string;
  count = 0;
  readonly #from: number | bigint;
  readonly #to: number | bigint;
  #last = -1;

  constructor({ key, from = -Infinity, to = Infinity }: RangeBucketQuery) {
    this.key = key;
    this.#from = readNumber(from) ?? Number(from);
    this.#to = readNumber(to) ?? Number(to);
  }

  addExact(value: number | bigint, id: number): void {
    if (value < this.#from || value >= this.#to || this.#last === id) return;
    this.#last = id;
    this.count++;
  }

  add({ values, ids, length }: NumberBlocks): void {
    const from = Number(this.#from);
    const to = Number(this.#to);
    let last = this.#last;
    let count = 0;
    for (let i = 0; i < length; i++) {
      const value = values[i]!;
      if (value < from || value >= to || last === ids[i]!) continue;
      last = ids[i]!;
      count++;
    }
    this.#last = last;
    this.count += count;
  }
}

/**
 * Calendar intervals without gaps; an object counts once per interval.
 * @throws TributaryError BAD_USER_INPUT for an unknown zone or more intervals than a histogram may have
 */
export const dateHistogramFacet = (
  { field, measure: { interval, timeZone } }: FacetQuery<'date_histogram'>,
  data: NumberColumn | null,
  scope: FacetScope,
  checkpoint: Checkpoint,
): BucketsResult<'date_histogram'> => {
  const zone = requiredZone(timeZone);
  const extent = extentOf(data, scope, checkpoint);
  if (extent === null) return { kind: 'date_histogram', buckets: [] };
  const { min, max } = extent;
  const calendar = calendarBetween(min, max, interval, zone, checkpoint);
  if (calendar === null) throw datesTooFar(field.path, min, max);
  const counts = new Uint32Array(calendar.starts.length);
  const last = new Float64Array(counts.length).fill(-1);
  const blocks = new NumberBlocks(data, scope.ids, checkpoint);
  while (blocks.next()) {
    const { values, ids, length } = blocks;
    for (let i = 0; i < length; i++) {
      const bucket = calendar.indexOf(values[i]!);
      if (last[bucket] === ids[i]!) continue;
      last[bucket] = ids[i]!;
      counts[bucket]!++;
    }
  }
  return { kind: 'date_histogram', buckets: calendar.buckets(counts) };
};
