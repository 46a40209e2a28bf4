import { isIntegerType, type IndexField } from '../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../json.ts';
import type { LogCount, LogCountsResult } from '../../measure.ts';
import { roundToHalf } from '../../semantics/half-float.ts';
import {
  allBlocks,
  boundsOf,
  indexesOfBlock,
  levelFor,
  logIndex,
  type Sign,
} from '../../semantics/log-counts.ts';
import { numberIn, objectIn, objectsIn } from './answer.ts';
import type { FacetReading, MeasureDsl } from './facet-reading.ts';

/**
 * Counts in buckets between powers of gamma, by ranges, which every server has. First the extremes and which blocks hold
 * values, then only the buckets of these that lie between the extremes.
 */
export const percentiles: MeasureDsl<'percentiles'> = {
  ask: ({ field }) => ({
    stats: { stats: { field: field.path } },
    blocks: rangesOf(field, [{ key: zeroKey, from: 0, to: Number.MIN_VALUE }, ...blockRanges(field)]),
  }),
  read: ({ field }, answers) => {
    const counted = countsOf(answers, 'blocks');
    const zero = counted.get(zeroKey) ?? 0;
    const blocks = signs.map((sign) => ({ sign, numbers: [...placesOf(counted, sign).keys()] }));
    const level = levelFor(blocks.reduce((sum, { numbers }) => sum + numbers.length, 0));
    if (blocks.every(({ numbers }) => numbers.length === 0)) return whole(zero, level, new Map());
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

interface AskedRange {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

const blockRanges = ({ type }: IndexField): readonly AskedRange[] =>
  signs.flatMap((sign) =>
    allBlocks
      // whole numbers are 1 at least
      .filter((block) => !isIntegerType(type) || block >= 0 || (sign === 'negative' && block === -1))
      .map((block) => asked(sign, block, ...indexesOfBlock(block, 0))),
  );

/** The buckets of a block, without those past the extremes. */
const bucketRanges = (
  sign: Sign,
  block: number,
  level: number,
  { positive: max, negative: min }: Readonly<Record<Sign, number>>,
): readonly AskedRange[] => {
  const [far, near] = sign === 'positive' ? [max, min] : [min, max];
  const [first, length] = indexesOfBlock(block, level);
  // an end on the other side of zero bounds nothing
  const isNearBound = sign === 'positive' ? near > 0 : near < 0;
  const from = isNearBound ? Math.max(first, logIndex(near) >> level) : first;
  const to = Math.min(first + length, (logIndex(far) >> level) + 1);
  return Array.from({ length: Math.max(0, to - from) }, (_, at) =>
    asked(sign, from + at, (from + at) << level, 1 << level),
  );
};

const asked = (sign: Sign, place: number, firstIndex: number, length: number): AskedRange => {
  const [from, to] = boundsOf(sign, firstIndex, length);
  return { key: `${sign}${place}`, from, to };
};

/**
 * Servers round bounds to what the field can hold, to whichever side is nearer: the least number of the field's that is
 * not below a bound says the same, and needs no rounding. Ranges that no number of the field is in are left out.
 */
const rangesOf = ({ path, type }: IndexField, ranges: readonly AskedRange[]): JsonObject => ({
  range: {
    field: path,
    ranges: ranges.flatMap(({ key, from, to }) => {
      const [low, high] = [leastNotBelow(from, type), leastNotBelow(to, type)];
      if (!(low < high)) return [];
      return [{ key, ...(low > -Infinity && { from: low }), ...(high < Infinity && { to: high }) }];
    }),
  },
});

const limits: Readonly<Record<string, number>> = {
  byte: 2 ** 7,
  short: 2 ** 15,
  integer: 2 ** 31,
  long: 2 ** 63,
  unsigned_long: 2 ** 64,
};

/** The least number of a type that is not below a bound; past the ends of the type infinite. */
const leastNotBelow = (bound: number, type: string): number => {
  const limit = limits[type];
  // + 0: -0 is written as 0
  if (limit !== undefined)
    return bound >= limit ? Infinity : bound <= -limit ? -Infinity : Math.ceil(bound) + 0;
  if (type === 'float') return roundedUp(bound, Math.fround) + 0;
  return type === 'half_float' ? roundedUp(bound, roundToHalf) + 0 : bound;
};

const roundedUp = (bound: number, round: (value: number) => number): number => {
  const rounded = round(bound);
  if (rounded >= bound) return rounded;
  // twice as far each time: once it rounds to another number, that is the next one
  for (let distance = bound - rounded; ; distance *= 2) {
    const next = round(bound + distance);
    if (next >= bound) return next;
  }
};

/** The counts of ranges that hold something. */
const countsOf = (answers: JsonObject, name: string): ReadonlyMap<string, number> =>
  new Map(
    objectsIn(objectIn(answers, name), 'buckets')
      .map((bucket) => [String(bucket['key']), numberIn(bucket, 'doc_count')] as const)
      .filter(([, count]) => count > 0),
  );

/** Of one sign, by block or bucket. */
const placesOf = (counts: ReadonlyMap<string, number>, sign: Sign): ReadonlyMap<number, number> =>
  new Map(
    [...counts]
      .filter(([key]) => key.startsWith(sign))
      .map(([key, count]) => [Number(key.slice(sign.length)), count]),
  );

const resultOf = (zero: number, level: number, counts: ReadonlyMap<string, number>): LogCountsResult => {
  const of = (sign: Sign): readonly LogCount[] =>
    [...placesOf(counts, sign)].sort(([left], [right]) => left - right);
  return { kind: 'percentiles', level, zero, positive: of('positive'), negative: of('negative') };
};

const whole = (zero: number, level: number, counts: ReadonlyMap<string, number>): FacetReading => ({
  kind: 'complete',
  result: resultOf(zero, level, counts),
});
