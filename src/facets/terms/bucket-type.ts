import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLString } from 'graphql';
import { jsonScalar } from '../../graphql/scalars.ts';
import { responseField } from '../row/response-field.ts';

/** The `max` argument of a list of buckets. */
export const maxArgument = {
  type: GraphQLInt,
  description: 'The most buckets to return, not counting `__missing__`; all by default.',
};

const nodeCountType = new GraphQLObjectType({
  name: 'NodeCount',
  description: 'The part of one node in a bucket. A catalogue that is no network is its only node.',
  fields: {
    nodeId: responseField(GraphQLString, 'The id of the node.'),
    doc_count: responseField(GraphQLInt, 'How many of its documents have the value.'),
  },
});

/** The GraphQL type of a bucket, the same for every measure that has buckets. */
export const bucketType = new GraphQLObjectType({
  name: 'Bucket',
  description: 'One value of a field, or one interval or range, and how much falls into it.',
  fields: {
    doc_count: responseField(GraphQLInt, 'How many documents have the value; of histograms and ranges, how many values fall into it. In a network, how many have it at least.'),
    key: responseField(GraphQLString, 'The value as text; `__missing__` stands for documents without one.'),
    key_as_string: responseField(GraphQLString, '"true" or "false" of a boolean, whose keys are 1 and 0; the start of an interval of the calendar, ISO 8601; null otherwise.'),
    top_hits: responseField(jsonScalar, 'The first document of the bucket, or the first nested object of a nested field.', {
      _source: { type: new GraphQLList(GraphQLString), description: 'The dotted paths to show; everything by default.' },
      size: { type: GraphQLInt, description: 'Accepted for existing clients: one document is shown.' },
    }),
    filter_by_term: responseField(jsonScalar, '`{doc_count}`: how many documents of the bucket match a filter.', {
      filter: { type: jsonScalar, description: 'A SQON filter.' },
    }),
    lower_bound: responseField(GraphQLInt, 'The same as doc_count: the sum over the nodes that listed it.'),
    upper_bound: responseField(GraphQLInt, 'How many there are at most, whatever nodes did not list.'),
    exists: responseField(GraphQLBoolean, 'Whether there are any; null where that is not known.'),
    exact: responseField(GraphQLBoolean, 'Whether both bounds are the same.'),
    estimate: responseField(GraphQLInt, 'About how many there are, where doc_count is not exact: never a count.'),
    nodes: responseField(new GraphQLList(nodeCountType), 'Which node has how many.'),
  },
}); // prettier-ignore
