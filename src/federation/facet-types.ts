import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import { rangesInput, statsType } from '../local/aggregation-types.ts';
import type { Caller } from '../local/query.ts';
import { byResponseKey } from '../local/response-key.ts';
import type { MergedBucket } from './merge/buckets.ts';
import type { CountedKey } from './merge/histogram.ts';

const resolve = byResponseKey;

const nodeCountType = new GraphQLObjectType<MergedBucket['nodes'][number], Caller>({
  name: 'NetworkNodeCount',
  fields: {
    nodeId: { type: GraphQLString },
    doc_count: { type: GraphQLInt, resolve: ({ count }) => count },
  },
});

const bucketType = new GraphQLObjectType<MergedBucket, Caller>({
  name: 'NetworkBucket',
  fields: {
    key: { type: GraphQLString },
    key_as_string: { type: GraphQLString, resolve: ({ keyAsString }) => keyAsString },
    doc_count: { type: GraphQLInt, resolve: ({ count }) => count },
    upper_bound: { type: GraphQLInt, resolve: ({ upperBound }) => upperBound },
    exact: { type: GraphQLBoolean, resolve: ({ upperBound, count }) => upperBound === count },
    nodes: { type: new GraphQLList(nodeCountType) },
  },
});

const coverageType = new GraphQLObjectType({
  name: 'NetworkCoverage',
  fields: {
    nodeId: { type: GraphQLString },
    state: { type: GraphQLString, description: 'answered, notCovered, failed or excluded.' },
    docs: { type: GraphQLInt },
  },
});

const boundsType = new GraphQLObjectType({
  name: 'NetworkCardinalityBounds',
  fields: { lower: { type: GraphQLInt }, upper: { type: GraphQLInt }, exact: { type: GraphQLBoolean } },
});

const countType = new GraphQLObjectType<CountedKey, Caller>({
  name: 'NetworkCount',
  fields: {
    key: { type: GraphQLString },
    key_as_string: { type: GraphQLString, resolve: () => null },
    doc_count: { type: GraphQLInt, resolve: ({ count }) => count },
  },
});

/** Histogram and range buckets; bucket_count of both is null, as existing clients know it. */
const countsType = new GraphQLObjectType<readonly CountedKey[], Caller>({
  name: 'NetworkCounts',
  fields: {
    bucket_count: { type: GraphQLInt, resolve: () => null },
    buckets: {
      type: new GraphQLList(countType),
      args: { max: { type: GraphQLInt } },
      resolve: (buckets, { max }: { readonly max?: number | null }) =>
        max == null ? buckets : buckets.slice(0, max),
    },
  },
});

const coverage = { type: new GraphQLList(coverageType), resolve };

const cardinality = {
  cardinality: { type: GraphQLInt, args: { precision_threshold: { type: GraphQLInt } }, resolve },
  cardinality_bounds: { type: boundsType, resolve },
};

/** A facet of values, merged over nodes. */
export const aggregationsType = new GraphQLObjectType({
  name: 'NetworkAggregations',
  fields: {
    bucket_count: { type: GraphQLInt, resolve },
    bucket_count_exact: { type: GraphQLBoolean, resolve },
    unlisted_upper_bound: { type: GraphQLInt, resolve },
    buckets: { type: new GraphQLList(bucketType), args: { max: { type: GraphQLInt } }, resolve },
    ...cardinality,
    coverage,
  },
});

/** A facet of numbers or dates, merged over nodes. */
export const numericAggregationsType = new GraphQLObjectType({
  name: 'NetworkNumericAggregations',
  fields: {
    stats: { type: statsType, resolve },
    histogram: { type: countsType, args: { interval: { type: GraphQLFloat } }, resolve },
    range: { type: countsType, args: { ranges: { type: new GraphQLList(rangesInput) } }, resolve },
    ...cardinality,
    coverage,
  },
});
