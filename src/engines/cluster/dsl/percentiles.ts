import { numberIn, objectIn, objectsIn, type JsonObject } from '../../../lib/json/json.ts';
import { integerRange, isIntegerType, type IndexField } from '../../../introspection/fields/field.ts';
import type { LogCount, LogCountsResult } from '../../measure.ts';
import { roundToHalf } from '../../semantics/bucket-key.ts';
import type { Sign } from '../../semantics/log-counts.ts';
import { allBlocks, boundsOf, indexesOfBlock, levelFor, logIndex } from '../../semantics/log-counts.ts';
import type { MeasureDsl } from './read-terms.ts';

/**
 * Counts in buckets between powers of gamma, using range aggregations, which every server has: first the extremes and
 * the non-empty blocks, then only the buckets of those blocks that lie between the extremes.
 */
export const percentiles: MeasureDsl<'percentiles'> = {
  aggs: ({ field }) => ({
    stats: { stats: { field: field.path } },
    blocks: rangesOf(field, [{ key: zeroKey, from: 0, to: Number.MIN_VALUE }, ...blockRanges(field)]),
  }),
  read: ({ field }, answers) => {
    const counted = countsOf(answers, 'blocks');
    const zero = counted.get(zeroKey) ?? 0;
    const blocks = signs.map((sign) => ({ sign, numbers: [...indexCounts(counted, sign).keys()] }));
    const level = levelFor(blocks.reduce((sum, { numbers }) => sum + numbers.length, 0));
    if (blocks.every(({ numbers }) => numbers.length === 0))
      return { kind: 'complete', result: resultOf(zero, level, new Map()) };
    const stats = objectIn(answers, 'stats');
    const extremes = { positive: numberIn(stats, 'max'), negative: numberIn(stats, 'min') };
    const ranges = blocks.flatMap(({ sign, numbers }) =>
      numbers.flatMap((number) => bucketRanges(sign, number, level, extremes)),
    );
    return {
      kind: 'further',
      aggregations: { buckets: rangesOf(field, ranges) },
      read: (further) => resultOf(zero, level, countsOf(further, 'buckets')),
    };
  },
};

const signs: readonly Sign[] = ['positive', 'negative'];
const zeroKey = 'zero';

interface BucketRange {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

const blockRanges = ({ type }: IndexField): readonly BucketRange[] =>
  signs.flatMap((sign) =>
    allBlocks
      // integers are at least 1
      .filter((block) => !isIntegerType(type) || block >= 0 || (sign === 'negative' && block === -1))
      .map((block) => bucketRange(sign, block, ...indexesOfBlock(block, 0))),
  );

/** The buckets of a block, without those past the extremes. */
const bucketRanges = (
  sign: Sign,
  block: number,
  level: number,
  { positive: max, negative: min }: Readonly<Record<Sign, number>>,
): readonly BucketRange[] => {
  const [far, near] = sign === 'positive' ? [max, min] : [min, max];
  const [first, length] = indexesOfBlock(block, level);
  // an extreme on the other side of zero is not a bound
  const isNearBound = sign === 'positive' ? near > 0 : near < 0;
  const from = isNearBound ? Math.max(first, logIndex(near) >> level) : first;
  const to = Math.min(first + length, (logIndex(far) >> level) + 1);
  return Array.from({ length: Math.max(0, to - from) }, (_, at) =>
    bucketRange(sign, from + at, (from + at) << level, 1 << level),
  );
};

const bucketRange = (sign: Sign, index: number, firstIndex: number, length: number): BucketRange => {
  const [from, to] = boundsOf(sign, firstIndex, length);
  return { key: `${sign}${index}`, from, to };
};

/**
 * Servers round bounds to the nearest value the field can hold: the smallest such value not below a bound is equivalent
 * and needs no rounding. Ranges that cannot contain a value of the field are omitted.
 */
const rangesOf = ({ path, type }: IndexField, ranges: readonly BucketRange[]): JsonObject => ({
  range: {
    field: path,
    ranges: ranges.flatMap(({ key, from, to }) => {
      const [low, high] = [leastNotBelow(from, type), leastNotBelow(to, type)];
      if (!(low < high)) return [];
      return [{ key, ...(low > -Infinity && { from: low }), ...(high < Infinity && { to: high }) }];
    }),
  },
});

/** The smallest number of a type not below a bound; infinite past the limits of the type. */
const leastNotBelow = (bound: number, type: string): number => {
  const range = integerRange(type);
  const limit = range && Number(range.max) + 1;
  // + 0: -0 is written as 0
  if (limit !== null) return bound >= limit ? Infinity : bound <= -limit ? -Infinity : Math.ceil(bound) + 0;
  if (type === 'float') return roundedUp(bound, Math.fround) + 0;
  return type === 'half_float' ? roundedUp(bound, roundToHalf) + 0 : bound;
};

const roundedUp = (bound: number, round: (value: number) => number): number => {
  const rounded = round(bound);
  if (rounded >= bound) return rounded;
  // doubles the distance each time: the first different number it rounds to is the next one
  for (let distance = bound - rounded; ; distance *= 2) {
    const next = round(bound + distance);
    if (next >= bound) return next;
  }
};

/** The counts of non-empty ranges. */
const countsOf = (answers: JsonObject, name: string): ReadonlyMap<string, number> =>
  new Map(
    objectsIn(objectIn(answers, name), 'buckets')
      .map((bucket) => [String(bucket['key']), numberIn(bucket, 'doc_count')] as const)
      .filter(([, count]) => count > 0),
  );

/** The counts of one sign, by block or bucket. */
const indexCounts = (counts: ReadonlyMap<string, number>, sign: Sign): ReadonlyMap<number, number> =>
  new Map(
    [...counts]
      .filter(([key]) => key.startsWith(sign))
      .map(([key, count]) => [Number(key.slice(sign.length)), count]),
  );

const resultOf = (zero: number, level: number, counts: ReadonlyMap<string, number>): LogCountsResult => {
  const of = (sign: Sign): readonly LogCount[] =>
    [...indexCounts(counts, sign)].sort(([left], [right]) => left - right);
  return { kind: 'percentiles', level, zero, positive: of('positive'), negative: of('negative') };
};
