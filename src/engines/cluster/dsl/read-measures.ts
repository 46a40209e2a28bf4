import { isIntegerType, kindOf } from '../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../json.ts';
import type {
  BucketsResult,
  CardinalityResult,
  FacetQuery,
  RangeBucketQuery,
  StatsResult,
} from '../../engine.ts';
import { histogramTooFine, maxHistogramBuckets } from '../../semantics/histogram-size.ts';
import { numberIn, objectIn, objectsIn } from './answer.ts';

export const readStats = (answers: JsonObject): StatsResult => {
  const stats = objectIn(answers, 'stats');
  const count = numberIn(stats, 'count');
  if (count === 0) return { kind: 'stats', count, min: null, max: null, sum: null, avg: null };
  return {
    kind: 'stats',
    count,
    min: numberIn(stats, 'min'),
    max: numberIn(stats, 'max'),
    sum: numberIn(stats, 'sum'),
    avg: numberIn(stats, 'avg'),
  };
};

/**
 * A histogram with its empty buckets filled in.
 * @throws TributaryError BAD_USER_INPUT for more than 65 536 buckets
 */
export const readHistogram = (
  { field }: FacetQuery,
  interval: number,
  offset: number,
  answers: JsonObject,
): BucketsResult<'histogram'> => {
  const step = (key: number): number => Math.round((key - offset) / interval);
  const counts = new Map(
    objectsIn(objectIn(answers, 'buckets'), 'buckets').map((bucket) => [
      step(numberIn(bucket, 'key')),
      numberIn(bucket, 'doc_count'),
    ]),
  );
  if (counts.size === 0) return { kind: 'histogram', buckets: [] };
  const steps = [...counts.keys()];
  const first = steps[0]!;
  const length = steps.at(-1)! - first + 1;
  const whole = isIntegerType(field.type) || kindOf(field.type) === 'date';
  if (!(length <= maxHistogramBuckets)) throw histogramTooFine(field.path, field.type, length * interval);
  return {
    kind: 'histogram',
    buckets: Array.from({ length }, (_, place) => ({
      key: histogramKey((first + place) * interval + offset, whole),
      count: counts.get(first + place) ?? 0,
    })),
  };
};

const histogramKey = (value: number, whole: boolean): string =>
  whole && Math.abs(value) >= 1e21 ? BigInt(value).toString() : String(value);

export const readRanges = (
  ranges: readonly RangeBucketQuery[],
  answers: JsonObject,
): BucketsResult<'range'> => {
  const counts = new Map(
    objectsIn(objectIn(answers, 'buckets'), 'buckets').map((bucket) => [
      String(bucket['key']),
      numberIn(bucket, 'doc_count'),
    ]),
  );
  return {
    kind: 'range',
    buckets: ranges.map(({ key }, place) => ({ key, count: counts.get(String(place)) ?? 0 })),
  };
};

/** Exact when all values fitted into one answer, else the server's estimate. */
export const readCardinality = (answers: JsonObject): CardinalityResult => {
  const values = objectIn(answers, 'values');
  if (numberIn(values, 'sum_other_doc_count') === 0)
    return { kind: 'cardinality', value: objectsIn(values, 'buckets').length, exact: true };
  return { kind: 'cardinality', value: numberIn(objectIn(answers, 'distinct'), 'value'), exact: false };
};
