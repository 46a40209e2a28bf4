import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import { rangesInput, statsType } from '../local/aggregation-types.ts';
import { byResponseKey } from '../local/response-key.ts';

const resolve = byResponseKey;

const nodeCountType = new GraphQLObjectType({
  name: 'NetworkNodeCount',
  fields: { nodeId: { type: GraphQLString, resolve }, doc_count: { type: GraphQLInt, resolve } },
});

const bucketType = new GraphQLObjectType({
  name: 'NetworkBucket',
  fields: {
    key: { type: GraphQLString, resolve },
    key_as_string: { type: GraphQLString, resolve },
    doc_count: { type: GraphQLInt, resolve },
    upper_bound: { type: GraphQLInt, resolve },
    exact: { type: GraphQLBoolean, resolve },
    nodes: { type: new GraphQLList(nodeCountType), resolve },
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

const countsType = new GraphQLObjectType({
  name: 'NetworkCounts',
  fields: {
    bucket_count: { type: GraphQLInt, resolve },
    buckets: {
      type: new GraphQLList(
        new GraphQLObjectType({
          name: 'NetworkCount',
          fields: {
            key: { type: GraphQLString, resolve },
            key_as_string: { type: GraphQLString, resolve },
            doc_count: { type: GraphQLInt, resolve },
          },
        }),
      ),
      args: { max: { type: GraphQLInt } },
      resolve,
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
