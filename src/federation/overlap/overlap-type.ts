import type { GraphQLFieldConfig } from 'graphql';
import { GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import { byResponseKey } from '../../graphql/response-key.ts';
import type { RequestContext } from '../../search/request-context.ts';

const boundsType = new GraphQLObjectType({
  name: 'NetworkOverlapBounds',
  description:
    'How many values two nodes share; 99.7 % of the bounds hold. lower and estimate are null where the samples share fewer than 10 keys.',
  fields: {
    lower: { type: GraphQLInt, description: 'A lower bound of how many they share.' },
    estimate: { type: GraphQLInt, description: 'An estimate of how many they share.' },
    upper: { type: GraphQLInt, description: 'An upper bound of how many they share.' },
  },
});

const pairType = new GraphQLObjectType({
  name: 'NetworkOverlapPair',
  description: 'Two nodes and the values that both have.',
  fields: {
    a: { type: GraphQLString, description: 'The id of one node.' },
    b: { type: GraphQLString, description: 'The id of the other.' },
    both: { type: boundsType, description: 'How many values both have.' },
  },
});

const overlapType = new GraphQLObjectType({
  name: 'NetworkOverlap',
  description: 'How far nodes hold the same values of a field.',
  fields: {
    nodes: {
      type: new GraphQLList(GraphQLString),
      description: 'The nodes that gave a sample of its values.',
    },
    nodesWithoutSample: {
      type: new GraphQLList(GraphQLString),
      description: 'The nodes that answered and have the field, but give no sample: they are in no pair.',
    },
    pairs: {
      type: new GraphQLList(pairType),
      description: 'Each two of the nodes whose values are of one type, texts or integers.',
    },
  },
});

/** The field `overlap` of a network. */
export const overlapField: GraphQLFieldConfig<unknown, RequestContext> = {
  type: overlapType,
  description:
    'How many values of a field each two nodes share, of the documents that match: of a keyword or an integer field.',
  args: {
    fieldName: {
      type: new GraphQLNonNull(GraphQLString),
      description: 'The path in the names of the network, as specimens.specimen_id.',
    },
  },
  resolve: byResponseKey,
};
