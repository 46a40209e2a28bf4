import { GraphQLFloat, GraphQLList, GraphQLNonNull, GraphQLObjectType } from 'graphql';
import { z } from 'zod';
import type { LogCount, LogCountsResult } from '../../engines/measure.ts';
import type { Sign } from '../../engines/semantics/log-counts.ts';
import {
  blockOf,
  boundsOf,
  gammaOf,
  levelFor,
  maxLevel,
  maxLogBuckets,
} from '../../engines/semantics/log-counts.ts';
import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import { jsonScalar, described } from '../../lib/graphql/scalars.ts';
import { allBelow, type SelectedField } from '../../lib/graphql/execution.ts';
import { lowerOf, upperOf } from '../count.ts';
import type { PercentilesAnswer, ReleasedInterval } from '../nodes-answer.ts';
import type { FacetMeasure } from '../query.ts';
import { answerOf, resultsOf, byProperty, responseField, type Shaped } from './row/answer-shape.ts';
import { sent, type FacetField, type MeasureRow } from './row/measure-row.ts';
import { checked, count } from './row/wire.ts';

const percentileType = new GraphQLObjectType({
  name: 'Percentile',
  description:
    'The least value that a percentage of all values are no greater than, known within 1 %, or 3 % where a node of a network has another unit.',
  fields: {
    percent: responseField(GraphQLFloat, 'The percentage, as requested.'),
    value: responseField(
      GraphQLFloat,
      'The value, between the bounds; null when there is none, or only bounds are disclosed.',
    ),
    lower: responseField(GraphQLFloat, 'The true value is no less than this; null when that is not known.'),
    upper: responseField(
      GraphQLFloat,
      'The true value is no greater than this; null when that is not known.',
    ),
  },
});

const defaultPercents = [50, 95];
const maxPercents = 100;

const field: FacetField = {
  type: new GraphQLList(new GraphQLNonNull(percentileType)),
  description:
    'Percentiles of numbers, not of dates, in the order requested. They are read from counts of documents: one with several values counts once for all of them that lie within 2 % of each other. Values that fill more than 30 powers of ten are known less exactly: `lower` and `upper` say how exactly.',
  args: {
    percents: {
      type: new GraphQLList(new GraphQLNonNull(GraphQLFloat)),
      defaultValue: defaultPercents,
      description: `From 0 to 100, at most ${maxPercents} of them.`,
    },
  },
};

/** Percentiles of numbers, from counts in buckets between powers of gamma, which can be added up across nodes. */
export const percentiles: MeasureRow<'percentiles'> = {
  fields: {
    numbers: {
      percentiles: field,
      log_counts: described(
        jsonScalar,
        'What percentiles of several nodes are made of: `{gamma, zero, positive, negative, shifted}`. `positive` lists [i, count] for values from gamma^i up to, not including, gamma^(i+1); `negative` for -gamma^(i+1) up to -gamma^i; `zero` counts 0. Documents are counted, once in a bucket. `shifted: true`: each value lies in its bucket or next to it, as it was counted in another unit. Of numbers, not of dates.',
      ),
    },
  },
  select: (selected, { info, addRequest }) => {
    // one request for both; the counts that nodes' answers are merged from never come from a release
    const measure: FacetMeasure<'percentiles'> = selected.some(({ name }) => name === 'log_counts')
      ? { kind: 'percentiles' }
      : { kind: 'percentiles', orReleased: true };
    return (selection) => {
      const request = addRequest(measure);
      if (selection.name === 'log_counts')
        return (answers) => printed(answerOf(answers, request, 'percentiles'));
      const shape = percentilesShape(selection, allBelow(info, selection));
      return (answers) => shape(answerOf(answers, request, 'percentiles'));
    };
  },
  toEngine: ({ kind }) => ({ kind }),
  fitsTypes: () => true,
  toNode: ({ kind }) => sent({ kind }),
  isOfCells: () => false,
  remoteField: 'log_counts',
  print: () => 'log_counts',
  read: (value, { field: name }) => read(value, name),
  merge: (parts) => mergeLogCounts(resultsOf(parts)),
};

/** @throws TributaryError BAD_USER_INPUT for no percents, too many, or an invalid one */
const percentsOf = ({ args }: SelectedField): readonly number[] => {
  const percents = (args['percents'] as readonly number[] | null | undefined) ?? defaultPercents;
  if (percents.length === 0 || percents.length > maxPercents)
    throw badUserInput(`percents must be a list of 1 to ${maxPercents} numbers, not ${percents.length}`);
  for (const percent of percents)
    if (!(percent >= 0 && percent <= 100))
      throw badUserInput(`percents must be from 0 to 100, not ${percent}`);
  return percents;
};

interface Percentile {
  readonly percent: number;
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
}

const percentilesShape = (
  selection: SelectedField,
  children: readonly SelectedField[],
): ((counts: PercentilesAnswer) => readonly Shaped[]) => {
  const percents = percentsOf(selection);
  const shape = byProperty<Percentile>(children);
  return (counts) =>
    (counts.released === undefined
      ? percentilesOf(counts, percents)
      : percents.map((percent) => releasedPercentile(counts.released!, percent))
    ).map(shape);
};

interface Bucket {
  readonly lower: number;
  readonly upper: number;
  readonly count: number;
}

/** Percentiles by nearest rank: the smallest value that is greater than or equal to that percentage of all values. */
export const percentilesOf = (
  counts: LogCountsResult,
  percents: readonly number[],
): readonly Percentile[] => {
  const buckets = ascending(counts);
  const total = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  return percents.map((percent) => {
    let rank = Math.max(1, Math.ceil((percent * total) / 100));
    const ranked = buckets.find((bucket) => (rank -= bucket.count) <= 0);
    if (ranked === undefined) return { percent, value: null, lower: null, upper: null };
    return { percent, value: between(ranked), lower: ranked.lower, upper: ranked.upper };
  });
};

/**
 * Where a percentile lies when only intervals of counts are known: from the first interval that can hold its rank, with as
 * many values up to there as possible and as few behind, to the last one that can.
 */
const releasedPercentile = (intervals: readonly ReleasedInterval[], percent: number): Percentile => {
  const rankOf = (total: number): number => Math.max(1, Math.ceil((percent * total) / 100));
  const most = ({ count }: ReleasedInterval): number => upperOf(count) ?? Infinity;
  const least = ({ count }: ReleasedInterval): number => lowerOf(count);
  const sum = (part: readonly ReleasedInterval[], end: (interval: ReleasedInterval) => number): number =>
    part.reduce((total, interval) => total + end(interval), 0);
  const indexes = [...intervals.keys()].filter((index) => {
    const [before, here, after] = [intervals.slice(0, index), intervals[index]!, intervals.slice(index + 1)];
    const reached = sum(before, most) + most(here);
    const isReached = most(here) > 0 && reached >= rankOf(reached + sum(after, least));
    const passed = sum(before, least);
    return isReached && passed < rankOf(passed + most(here) + sum(after, most));
  });
  const [first, last] = [indexes[0], indexes.at(-1)];
  return {
    percent,
    value: null,
    lower: first === undefined ? null : intervals[first]!.from,
    upper: last === undefined ? null : intervals[last]!.to,
  };
};

const ascending = ({ level, zero, positive, negative, shifted }: LogCountsResult): readonly Bucket[] => {
  const [before, length] = shifted ? [1, 3] : [0, 1];
  const bucket =
    (sign: Sign) =>
    ([index, counted]: LogCount): Bucket => {
      const [lower, upper] = boundsOf(sign, (index - before) << level, length << level);
      return { lower: finite(lower), upper: finite(upper), count: counted };
    };
  return [
    ...negative.map(bucket('negative')).reverse(),
    ...(zero > 0 ? [{ lower: 0, upper: 0, count: zero }] : []),
    ...positive.map(bucket('positive')),
  ];
};

const finite = (value: number): number => Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, value));

/** Equally far from both ends, relative to either: 2ab / (a + b), without overflowing. */
const between = ({ lower, upper }: Bucket): number => {
  const [near, far] = lower >= 0 ? [lower, upper] : [upper, lower];
  return near === far || near === 0 ? far : near * (2 / (1 + near / far));
};

const printed = ({ level, zero, positive, negative, shifted }: LogCountsResult) => ({
  gamma: gammaOf(level),
  zero,
  positive,
  negative,
  ...(shifted && { shifted }),
});

/** Beyond the powers that doubles can represent. */
const maxIndex = 50_000;

const counted = z.array(z.tuple([z.int().min(-maxIndex).max(maxIndex), count])).max(maxLogBuckets);
const wireCounts = z.object({
  gamma: z.number(),
  zero: count,
  positive: counted,
  negative: counted,
  shifted: z.literal(true).optional(),
});

/** @throws TributaryError NODE_BAD_RESPONSE */
const read = (value: unknown, name: string): LogCountsResult => {
  const { gamma, zero, positive, negative, shifted } = checked(wireCounts, value, name);
  const level = Array.from({ length: maxLevel + 1 }, (_, level) => gammaOf(level)).findIndex(
    (known) => Math.abs(known / gamma - 1) < 1e-9,
  );
  if (level < 0)
    throw new TributaryError(
      'NODE_BAD_RESPONSE',
      `the answer is malformed at ${name}.gamma: no level has this value`,
    );
  return {
    ...{ kind: 'percentiles', level, zero, positive: summed(positive), negative: summed(negative) },
    ...(shifted && { shifted }),
  };
};

/**
 * Merges the counts of several nodes at their common level: a node's counts become what they would be at that level,
 * except for documents with values in several buckets that are merged into one.
 */
export const mergeLogCounts = (parts: readonly LogCountsResult[]): LogCountsResult => {
  const level = Math.max(
    levelFor(blocksOf(parts, 'positive') + blocksOf(parts, 'negative')),
    ...parts.map((part) => part.level),
  );
  const of = (sign: Sign): readonly LogCount[] =>
    summed(
      parts.flatMap((part) =>
        part[sign].map(([index, occurrences]): LogCount => [index >> (level - part.level), occurrences]),
      ),
    );
  const zero = parts.reduce((sum, part) => sum + part.zero, 0);
  return {
    ...{ kind: 'percentiles', level, zero, positive: of('positive'), negative: of('negative') },
    ...(parts.some(({ shifted }) => shifted) && { shifted: true }),
  };
};

const blocksOf = (parts: readonly LogCountsResult[], sign: Sign): number =>
  new Set(parts.flatMap((part) => part[sign].map(([index]) => blockOf(index << part.level)))).size;

const summed = (counts: readonly LogCount[]): readonly LogCount[] => {
  const sums = new Map<number, number>();
  for (const [index, occurrences] of counts) sums.set(index, (sums.get(index) ?? 0) + occurrences);
  return [...sums].sort(([left], [right]) => left - right);
};
