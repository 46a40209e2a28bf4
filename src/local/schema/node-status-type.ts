import { GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLString } from 'graphql';

/** A node of a network and how its part of a request went: a NodeStatus. */
export const nodeStatusType = new GraphQLObjectType({
  name: 'NetworkNode',
  description: 'A node of a network and how its part of the request went. A catalogue that is no network is its only node.',
  fields: {
    nodeId: { type: GraphQLString, description: 'The id that nodes.json gives it.' },
    name: { type: GraphQLString, description: 'Its display name.' },
    hits: { type: GraphQLInt, description: 'How many of its documents match; null when it was not asked.' },
    status: { type: GraphQLString, description: 'OK or ERROR; null when it was not asked.' },
    errors: { type: GraphQLString, description: 'What went wrong, in words; "" when nothing did.' },
    state: { type: GraphQLString, description: 'ok, excluded, or why it could not answer, such as timeout, circuitOpen or discoveryFailed.' },
    code: { type: GraphQLString, description: 'The code of what went wrong; null when nothing did.' },
    took: { type: GraphQLInt, description: 'How long it took, in milliseconds.' },
    uncoveredFields: { type: new GraphQLList(GraphQLString), description: 'The fields of the question that it does not have.' },
  },
}); // prettier-ignore
