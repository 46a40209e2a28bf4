import {
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type { GraphQLFieldConfig, GraphQLFieldConfigArgumentMap, GraphQLOutputType } from 'graphql';
import { byResponseKey } from '../../graphql/response-key.ts';
import { jsonScalar } from './scalars.ts';

/** A field whose value was shaped under its response name: facet-shape.ts. */
const shaped = (
  type: GraphQLOutputType,
  description: string,
  args?: GraphQLFieldConfigArgumentMap,
): GraphQLFieldConfig<unknown, unknown> => ({
  type,
  description,
  ...(args && { args }),
  resolve: byResponseKey,
});

/** The types of facets, the same for every catalogue. */
export const statsType = new GraphQLObjectType({
  name: 'Stats',
  description: 'Statistics over values, not documents. Dates are in milliseconds since 1970.',
  fields: {
    max: shaped(GraphQLFloat, 'The largest value; null when there is none.'),
    min: shaped(GraphQLFloat, 'The smallest value; null when there is none.'),
    count: shaped(GraphQLInt, 'How many values there are.'),
    avg: shaped(GraphQLFloat, 'The sum divided by the count; null when there is no value.'),
    sum: shaped(GraphQLFloat, 'The sum of all values; 0 when there is none.'),
  },
});

const bucketType = new GraphQLObjectType({
  name: 'Bucket',
  description: 'One value of a field, or one interval or range, and how much falls into it.',
  fields: {
    doc_count: shaped(GraphQLInt, 'How many documents have the value; of histograms and ranges, how many values fall into it.'),
    key: shaped(GraphQLString, 'The value as text; `__missing__` stands for documents without one.'),
    key_as_string: shaped(GraphQLString, '"true" or "false" of a boolean, whose keys are 1 and 0; null otherwise.'),
    top_hits: shaped(jsonScalar, 'The first document of the bucket, or the first nested object of a nested field.', {
      _source: { type: new GraphQLList(GraphQLString), description: 'The dotted paths to show; everything by default.' },
      size: { type: GraphQLInt, description: 'Accepted for existing clients: one document is shown.' },
    }),
    filter_by_term: shaped(jsonScalar, '`{doc_count}`: how many documents of the bucket match a filter.', {
      filter: { type: jsonScalar, description: 'A SQON filter.' },
    }),
  },
}); // prettier-ignore

export const rangesInput = new GraphQLInputObjectType({
  name: 'RangesArg',
  description: 'One range. It may overlap others; an end that is left out is open.',
  fields: {
    to: { type: GraphQLInt, description: 'The upper end, not included.' },
    from: { type: GraphQLInt, description: 'The lower end, included.' },
    key: { type: GraphQLString, description: 'The name of its bucket; "from-to" by default.' },
  },
});

export const aggregationsType = new GraphQLObjectType({
  name: 'Aggregations',
  description: 'The values of a field and how many documents have each.',
  fields: {
    bucket_count: shaped(GraphQLInt, 'How many distinct values there are, `__missing__` included, whatever max cuts off; null for histograms and ranges.'),
    buckets: shaped(new GraphQLList(bucketType), 'Largest count first, then by key; `__missing__` last. Histograms and ranges keep their own order.', {
      max: { type: GraphQLInt, description: 'The most buckets to return, not counting `__missing__`; all by default.' },
    }),
    cardinality: shaped(GraphQLInt, 'How many distinct values there are, `__missing__` not counted.', {
      precision_threshold: { type: GraphQLInt, description: 'Accepted for existing clients: the number is exact in any case.' },
    }),
  },
}); // prettier-ignore

export const numericAggregationsType = new GraphQLObjectType({
  name: 'NumericAggregations',
  description: 'The numbers or dates of a field, summarised.',
  fields: {
    stats: shaped(statsType, 'Count, smallest, largest, average and sum.'),
    histogram: shaped(aggregationsType, 'Values by intervals of equal width, empty ones between the first and the last included.', {
      interval: { type: GraphQLFloat, description: 'The width, in milliseconds for dates; 1000 by default.' },
    }),
    range: shaped(aggregationsType, 'Values by ranges of your own.', {
      ranges: { type: new GraphQLList(rangesInput), description: 'By default one range from 0 upwards.' },
    }),
    cardinality: shaped(GraphQLInt, 'How many distinct values there are.'),
  },
}); // prettier-ignore
