import {
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import { byResponseKey } from './response-key.ts';
import { jsonScalar } from './scalars.ts';

/** The types of facets, the same for every catalogue. Their values are shaped by response name: facet-shape.ts. */
export const statsType = new GraphQLObjectType({
  name: 'Stats',
  fields: {
    max: { type: GraphQLFloat, resolve: byResponseKey },
    min: { type: GraphQLFloat, resolve: byResponseKey },
    count: { type: GraphQLInt, resolve: byResponseKey },
    avg: { type: GraphQLFloat, resolve: byResponseKey },
    sum: { type: GraphQLFloat, resolve: byResponseKey },
  },
});

export const bucketType = new GraphQLObjectType({
  name: 'Bucket',
  fields: {
    doc_count: { type: GraphQLInt, resolve: byResponseKey },
    key: { type: GraphQLString, resolve: byResponseKey },
    key_as_string: { type: GraphQLString, resolve: byResponseKey },
    top_hits: {
      type: jsonScalar,
      args: { _source: { type: new GraphQLList(GraphQLString) }, size: { type: GraphQLInt } },
      resolve: byResponseKey,
    },
    filter_by_term: { type: jsonScalar, args: { filter: { type: jsonScalar } }, resolve: byResponseKey },
  },
});

export const rangesInput = new GraphQLInputObjectType({
  name: 'RangesArg',
  fields: { to: { type: GraphQLInt }, from: { type: GraphQLInt }, key: { type: GraphQLString } },
});

export const aggregationsType = new GraphQLObjectType({
  name: 'Aggregations',
  fields: {
    bucket_count: { type: GraphQLInt, resolve: byResponseKey },
    buckets: {
      type: new GraphQLList(bucketType),
      args: { max: { type: GraphQLInt } },
      resolve: byResponseKey,
    },
    cardinality: {
      type: GraphQLInt,
      args: { precision_threshold: { type: GraphQLInt } },
      resolve: byResponseKey,
    },
  },
});

export const numericAggregationsType = new GraphQLObjectType({
  name: 'NumericAggregations',
  fields: {
    stats: { type: statsType, resolve: byResponseKey },
    histogram: {
      type: aggregationsType,
      args: { interval: { type: GraphQLFloat } },
      resolve: byResponseKey,
    },
    range: {
      type: aggregationsType,
      args: { ranges: { type: new GraphQLList(rangesInput) } },
      resolve: byResponseKey,
    },
    cardinality: { type: GraphQLInt, resolve: byResponseKey },
  },
});
