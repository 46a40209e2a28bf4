import { GraphQLFloat, GraphQLInputObjectType, GraphQLList, GraphQLString } from 'graphql';
import { z } from 'zod';
import type { RangeBucketQuery } from '../engines/measure.ts';
import { TributaryError } from '../errors/errors.ts';
import type { SelectedField } from '../graphql/selected-fields.ts';
import type { FacetMeasure } from '../search/query.ts';
import { resultsOf } from './row/answer-shape.ts';
import type { Counts } from './row/counted-buckets.ts';
import { countedSelection, withNodeCounts } from './row/counted-buckets.ts';
import { maxListed, countsReader } from './row/wire.ts';
import type { FacetField, MeasureRow } from './row/measure-row.ts';

/** The GraphQL input of one range. */
export const rangesInput = new GraphQLInputObjectType({
  name: 'RangesArg',
  description: 'One range. It may overlap others; an end that is left out is open.',
  fields: {
    to: {
      type: GraphQLFloat,
      description: 'The upper end, not included; of dates in milliseconds since 1970.',
    },
    from: {
      type: GraphQLFloat,
      description: 'The lower end, included; of dates in milliseconds since 1970.',
    },
    key: { type: GraphQLString, description: 'The name of its bucket; "from-to" by default.' },
  },
});

const field: FacetField = {
  type: 'buckets',
  description: 'Values by ranges of your own.',
  args: {
    ranges: { type: new GraphQLList(rangesInput), description: 'By default one range from 0 upwards.' },
  },
};

interface RangeArg {
  readonly from?: number | null;
  readonly to?: number | null;
  readonly key?: string | null;
}

const measureOf = ({ args }: SelectedField): FacetMeasure<'range'> => {
  const listed = (args['ranges'] as readonly (RangeArg | null)[] | null | undefined) ?? [{ from: 0 }];
  const ranges = listed.filter((range) => range !== null).map(rangeBucket);
  return { kind: 'range', ranges: ranges.toSorted(inOrder) };
};

/** Clients expect the order in which search clusters return ranges, as requested or not: lower ends, then upper. */
const inOrder = (left: RangeBucketQuery, right: RangeBucketQuery): number =>
  compare(left.from ?? -Infinity, right.from ?? -Infinity) ||
  compare(left.to ?? Infinity, right.to ?? Infinity);

const compare = (left: number, right: number): number => (left < right ? -1 : left > right ? 1 : 0);

const rangeBucket = ({ from, to, key }: RangeArg): RangeBucketQuery => ({
  key: key ?? `${edge(from)}-${edge(to)}`,
  ...(from == null ? {} : { from }),
  ...(to == null ? {} : { to }),
});

/** In the engines' format, which clients know: at least one decimal, `*` for an open end. */
const edge = (value: number | null | undefined): string => {
  if (value == null) return '*';
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
};

/** Every value is compared with every range. */
const maxRanges = 1_000;

const readCounts = countsReader(z.string(), maxListed);

/** Numbers or dates by caller-defined ranges. */
export const range: MeasureRow<'range'> = {
  fields: { numbers: { range: field } },
  ...countedSelection('range', measureOf),
  toEngine: (measure, { field: { path } }) => {
    const { length } = measure.ranges;
    if (length === 0) throw new TributaryError('BAD_USER_INPUT', `range of ${path} needs at least one range`);
    if (length > maxRanges)
      throw new TributaryError(
        'BAD_USER_INPUT',
        `range of ${path} takes at most ${maxRanges} ranges, not ${length}`,
      );
    return measure;
  },
  toNode: (measure) => measure,
  isOfCells: () => true,
  remoteField: 'range',
  print: ({ ranges }, counts) =>
    `range(ranges: [${ranges.map(printRange).join(', ')}]) { buckets { key ${counts} } }`,
  read: (value, { field: name }) => ({ kind: 'range', buckets: readCounts(value, name) }),
  merge: (parts, { measure }) => {
    const lists = resultsOf(parts).map(({ buckets }) => buckets);
    const keys = measure.ranges.map(({ key }) => key);
    return { kind: 'range', buckets: withNodeCounts(mergeRanges(lists, keys), parts, (key) => key) };
  },
};

const printRange = ({ key, from, to }: RangeBucketQuery): string => {
  const ends = [from === undefined ? '' : `from: ${from}, `, to === undefined ? '' : `to: ${to}, `].join('');
  return `{ ${ends}key: ${JSON.stringify(key)} }`;
};

/**
 * Merges the range buckets of several nodes, in the requested order; a key missing from a node counts 0 there. Where
 * several ranges share a key, the first is each node's first.
 */
export const mergeRanges = (parts: readonly Counts[], keys: readonly string[]): Counts => {
  const counts = new Map<string, number[]>();
  for (const part of parts) {
    const seen = new Map<string, number>();
    for (const { key, count } of part) {
      const index = seen.get(key) ?? 0;
      seen.set(key, index + 1);
      const known = counts.get(key) ?? [];
      known[index] = (known[index] ?? 0) + count;
      counts.set(key, known);
    }
  }
  const shown = new Map<string, number>();
  return keys.map((key) => {
    const index = shown.get(key) ?? 0;
    shown.set(key, index + 1);
    return { key, count: counts.get(key)?.[index] ?? 0 };
  });
};
