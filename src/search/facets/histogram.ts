import { GraphQLFloat } from 'graphql';
import { histogramTooFine, maxHistogramBuckets } from '../../engines/semantics/bucket-key.ts';
import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import type { SelectedField } from '../../lib/graphql/execution.ts';
import type { Field } from '../../introspection/fields/field.ts';
import { lowerOf } from '../count.ts';
import type { FacetMeasure } from '../query.ts';
import { resultsOf } from './row/answer-shape.ts';
import {
  countedSelection,
  extent,
  otherInterval,
  withNodeCounts,
  type Counts,
} from './row/counted-buckets.ts';
import { sent, type FacetField, type MeasureRow } from './row/measure-row.ts';
import { countsReader, numeral } from './row/wire.ts';

const defaultInterval = 1000;

const field: FacetField = {
  type: 'buckets',
  description: 'Values by intervals of equal width, empty ones between the first and the last included.',
  args: {
    interval: {
      type: GraphQLFloat,
      defaultValue: defaultInterval,
      description: 'The width, in milliseconds for dates.',
    },
  },
};

/** Neither GraphQL nor JSON can write a number that is not finite. */
const isWidth = (interval: number): boolean => interval > 0 && Number.isFinite(interval);

/** @throws TributaryError BAD_USER_INPUT for an interval that is not above 0, or not finite */
const measureOf = ({ args }: SelectedField): FacetMeasure<'histogram'> => {
  const interval = (args['interval'] as number | null | undefined) ?? defaultInterval;
  if (!isWidth(interval)) throw badUserInput(`interval must be above 0 and finite, not ${interval}`);
  return { kind: 'histogram', interval };
};

const readCounts = countsReader(numeral, maxHistogramBuckets);

/** Numbers or dates by intervals of equal width. */
export const histogram: MeasureRow<'histogram'> = {
  fields: { numbers: { histogram: field } },
  ...countedSelection('histogram', measureOf),
  toEngine: (measure, { field: { path } }) => {
    if (isWidth(measure.interval)) return measure;
    throw badUserInput(`the histogram of ${path} needs a finite interval above 0, not ${measure.interval}`);
  },
  toNode: sent,
  isOfCells: () => true,
  remoteField: 'histogram',
  print: ({ interval }, counts) => `histogram(interval: ${interval}) { buckets { key ${counts} } }`,
  read: (value, { measure, field: name }) => {
    const buckets = readCounts(value, name);
    assertSteps(buckets, measure.interval, name);
    return { kind: 'histogram', buckets };
  },
  merge: (parts, { measure: { interval }, field: { path, type } }) => {
    const lists = resultsOf(parts).map(({ buckets }) => buckets);
    const buckets = mergeHistograms(lists, interval, { path, type });
    return {
      kind: 'histogram',
      buckets: withNodeCounts(buckets, parts, (key) => Math.round(Number(key) / interval)),
    };
  },
};

/** Keys of an interval other than the requested one would be counted in the wrong bucket. */
const assertSteps = (buckets: Counts, interval: number, name: string): void => {
  const isBetween = ({ key }: Counts[number]): boolean => {
    const steps = Number(key) / interval;
    return Math.abs(steps - Math.round(steps)) > 0.01;
  };
  if (buckets.some(isBetween)) throw otherInterval(name);
};

/**
 * Merges histograms of one interval: buckets are matched by number, not by text, and the gaps between the first and the
 * last are filled once, here.
 * @param interval the interval requested from all nodes, above 0
 * @param of the network's field
 * @throws TributaryError BAD_USER_INPUT naming the smallest interval that fits
 */
export const mergeHistograms = (
  parts: readonly Counts[],
  interval: number,
  of: Pick<Field, 'path' | 'type'>,
): Counts => {
  const counts = new Map<number, number>();
  for (const { key, count } of parts.flat()) {
    const position = Math.round(Number(key) / interval);
    if (!Number.isFinite(position))
      throw new TributaryError('NODE_BAD_RESPONSE', 'a histogram key is not a number');
    counts.set(position, (counts.get(position) ?? 0) + lowerOf(count));
  }
  if (counts.size === 0) return [];
  const [first, last] = extent(counts.keys());
  if (last - first >= maxHistogramBuckets)
    throw histogramTooFine(of.path, of.type, (last - first + 1) * interval);
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    key: String((first + index) * interval),
    count: counts.get(first + index) ?? 0,
  }));
};
