import type { IndexField } from '../../../introspection/fields/field.ts';
import type { BucketsResult, Measure, RangeBucketQuery, StatsResult } from '../../measure.ts';
import { intervalKey, isWhole } from '../../semantics/bucket-key.ts';
import { assertInterval, histogramTooFine, maxHistogramBuckets } from '../../semantics/histogram-size.ts';
import type { Checkpoint } from '../columns/checkpoint.ts';
import { chunkMask } from '../columns/chunked.ts';
import { forEachChunkRun } from '../columns/chunk-runs.ts';
import type { FacetScope } from './facet-scope.ts';
import type { NumberColumn } from '../columns/number-column.ts';

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
  forEachNumber(data, scope.ids, checkpoint, (value) => {
    count++;
    if (value < min) min = value;
    if (value > max) max = value;
    const corrected = value - lost;
    const next = sum + corrected;
    lost = next - sum - corrected;
    sum = next;
  });
  if (count === 0) return { kind: 'stats', count, min: null, max: null, sum: null, avg: null };
  return { kind: 'stats', count, min, max, sum, avg: sum / count };
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
  const { count, min, max } = statsFacet(data, scope, checkpoint);
  if (count === 0 || min === null || max === null) return { kind: 'histogram', buckets: [] };
  const step = (value: number): number => Math.floor((value - offset) / interval);
  const first = step(min);
  const length = step(max) - first + 1;
  if (!(length <= maxHistogramBuckets)) throw histogramTooFine(field.path, field.type, max - min);
  const counts = new Uint32Array(length);
  const last = new Float64Array(length).fill(-1);
  forEachNumber(data, scope.ids, checkpoint, (value, id) => {
    const bucket = step(value) - first;
    if (last[bucket] === id) return;
    last[bucket] = id;
    counts[bucket]!++;
  });
  const whole = isWhole(field.type);
  return {
    kind: 'histogram',
    buckets: Array.from(counts, (bucket, i) => ({
      key: intervalKey((first + i) * interval + offset, whole),
      count: bucket,
    })),
  };
};

/** Objects checked against one range between two checkpoints. */
const objectsToRun = 1 << 16;

/** Counts the objects with a value in each range; from <= value < to. */
export const rangeFacet = (
  data: NumberColumn | null,
  scope: FacetScope,
  ranges: readonly RangeBucketQuery[],
  checkpoint: Checkpoint,
): BucketsResult<'range'> => {
  const counts = ranges.map(() => 0);
  const last = ranges.map(() => -1);
  const count = (value: number, id: number): void => {
    ranges.forEach(({ from = -Infinity, to = Infinity }, i) => {
      if (value < from || value >= to || last[i] === id) return;
      last[i] = id;
      counts[i]!++;
    });
  };
  forEachNumber(data, scope.ids, checkpoint, count, Math.ceil(objectsToRun / ranges.length));
  return { kind: 'range', buckets: ranges.map(({ key }, i) => ({ key, count: counts[i]! })) };
};

/** Calls `visit` with each value of the listed objects, in order. */
export const forEachNumber = (
  data: NumberColumn | null,
  ids: Uint32Array,
  checkpoint: Checkpoint,
  visit: (value: number, id: number) => void,
  longest?: number,
): void => {
  if (data === null) return;
  const visitRun = (number: number, from: number, to: number): void => {
    const { values, offsets } = data.chunks[number]!;
    for (let i = from; i < to; i++) {
      const id = ids[i]!;
      const local = id & chunkMask;
      if (offsets === null) {
        const value = values[local]!;
        if (!Number.isNaN(value)) visit(value, id);
      } else {
        for (let j = offsets[local]!; j < offsets[local + 1]!; j++) visit(values[j]!, id);
      }
    }
  };
  forEachChunkRun(ids, checkpoint, visitRun, longest);
};
