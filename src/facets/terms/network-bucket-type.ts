import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLString } from 'graphql';
import type { Caller } from '../../search/query.ts';
import type { MergedBucket } from './merge-terms.ts';

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

export const networkBucketType = new GraphQLObjectType<MergedBucket, Caller>({
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
