import type { GraphQLFieldConfig, GraphQLFieldConfigArgumentMap, GraphQLOutputType } from 'graphql';
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import { rangesInput, statsType } from '../../local/schema/aggregation-types.ts';
import type { Caller } from '../../search/query.ts';
import { byResponseKey } from '../../graphql/response-key.ts';
import type { MergedBucket } from '../merge/buckets.ts';
import type { CountedKey } from '../merge/histogram.ts';

const resolve = byResponseKey;

const nodeCountType = new GraphQLObjectType<MergedBucket['nodes'][number], Caller>({
  name: 'NetworkNodeCount',
  description: 'The part of one node in a bucket.',
  fields: {
    nodeId: { type: GraphQLString, description: 'The id of the node.' },
    doc_count: {
      type: GraphQLInt,
      description: 'How many of its documents have the value.',
      resolve: ({ count }) => count,
    },
  },
});

const bucketType = new GraphQLObjectType<MergedBucket, Caller>({
  name: 'NetworkBucket',
  description: 'One value of a field and how many documents of all nodes have it.',
  fields: {
    key: { type: GraphQLString, description: 'The value as text; `__missing__` stands for documents without one.' },
    key_as_string: { type: GraphQLString, description: '"true" or "false" of a boolean; null otherwise.', resolve: ({ keyAsString }) => keyAsString },
    doc_count: { type: GraphQLInt, description: 'How many documents have it at least: the sum over the nodes that listed it.', resolve: ({ count }) => count },
    upper_bound: { type: GraphQLInt, description: 'How many have it at most, whatever nodes did not list.', resolve: ({ upperBound }) => upperBound },
    exact: { type: GraphQLBoolean, description: 'Whether doc_count is exact.', resolve: ({ upperBound, count }) => upperBound === count },
    nodes: { type: new GraphQLList(nodeCountType), description: 'Which node has how many.' },
  },
}); // prettier-ignore

const coverageType = new GraphQLObjectType({
  name: 'NetworkCoverage',
  description: 'What one node has to do with a facet.',
  fields: {
    nodeId: { type: GraphQLString, description: 'The id of the node.' },
    state: { type: GraphQLString, description: 'answered, notCovered, failed or excluded.' },
    docs: { type: GraphQLInt, description: 'How many of its documents match; null when it is not known.' },
  },
});

const boundsType = new GraphQLObjectType({
  name: 'NetworkCardinalityBounds',
  description: 'Between which numbers the number of distinct values lies: nodes may share some.',
  fields: {
    lower: { type: GraphQLInt, description: 'The least number of values there can be.' },
    upper: {
      type: GraphQLInt,
      description: 'The greatest number of values there can be; null if a node could not tell.',
    },
    exact: { type: GraphQLBoolean, description: 'Whether both are the same.' },
  },
});

const countType = new GraphQLObjectType<CountedKey, Caller>({
  name: 'NetworkCount',
  description: 'One interval or range and how many values of all nodes fall into it.',
  fields: {
    key: { type: GraphQLString, description: 'The lower end of an interval, or the name of a range.' },
    key_as_string: { type: GraphQLString, description: 'Always null.', resolve: () => null },
    doc_count: { type: GraphQLInt, description: 'How many values fall into it.', resolve: ({ count }) => count },
  },
}); // prettier-ignore

const max = {
  type: GraphQLInt,
  description: 'The most buckets to return, not counting `__missing__`; all by default.',
};

/** Histogram and range buckets; bucket_count of both is null, as existing clients know it. */
const countsType = new GraphQLObjectType<readonly CountedKey[], Caller>({
  name: 'NetworkCounts',
  description: 'Values by intervals or ranges.',
  fields: {
    bucket_count: { type: GraphQLInt, description: 'Always null, as at a catalogue.', resolve: () => null },
    buckets: {
      type: new GraphQLList(countType),
      description: 'In the order of the intervals, or of the ranges as they were asked for.',
      args: { max },
      resolve: (buckets, { max }: { readonly max?: number | null }) =>
        max == null ? buckets : buckets.slice(0, max),
    },
  },
});

const coverage = {
  type: new GraphQLList(coverageType),
  description: 'Which nodes these numbers are of.',
  resolve,
};

const cardinality = {
  cardinality: {
    type: GraphQLInt,
    description: 'How many distinct values there are.',
    args: {
      precision_threshold: {
        type: GraphQLInt,
        description: 'Accepted for existing clients; nodes of theirs use it.',
      },
    },
    resolve,
  },
  cardinality_bounds: {
    type: boundsType,
    description: 'Between which numbers the number of distinct values lies.',
    resolve,
  },
};

const described = (
  type: GraphQLOutputType,
  description: string,
  args: GraphQLFieldConfigArgumentMap = {},
): GraphQLFieldConfig<unknown, Caller> => ({ type, description, args, resolve });

/** A facet of values, merged over nodes. */
export const aggregationsType = new GraphQLObjectType({
  name: 'NetworkAggregations',
  description: 'The values of a field over all nodes, and how far each count can be trusted.',
  fields: {
    bucket_count: described(GraphQLInt, 'How many distinct values are known, `__missing__` included.'),
    bucket_count_exact: described(GraphQLBoolean, 'Whether there are no others.'),
    unlisted_upper_bound: described(GraphQLInt, 'How many documents a value that is not listed has at most.'),
    buckets: described(new GraphQLList(bucketType), 'Largest count first, then by key; `__missing__` last.', {
      max,
    }),
    ...cardinality,
    coverage,
  },
});

/** A facet of numbers or dates, merged over nodes. */
export const numericAggregationsType = new GraphQLObjectType({
  name: 'NetworkNumericAggregations',
  description: 'The numbers or dates of a field over all nodes, summarised.',
  fields: {
    stats: described(statsType, 'Count, smallest, largest, average and sum.'),
    histogram: described(countsType, 'Values by intervals of equal width, empty ones between the first and the last included.', {
      interval: { type: GraphQLFloat, description: 'The width, in milliseconds for dates; 1000 by default.' },
    }),
    range: described(countsType, 'Values by ranges of your own.', {
      ranges: { type: new GraphQLList(rangesInput), description: 'By default one range from 0 upwards.' },
    }),
    ...cardinality,
    coverage,
  },
}); // prettier-ignore
