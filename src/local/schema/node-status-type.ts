import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLString } from 'graphql';
import { jsonScalar } from '../../graphql/scalars.ts';
import type { NodeStatus } from '../../search/nodes-answer.ts';

const upperBound = (status: unknown): number | null => {
  const { state, hits, upperBound: upper = hits } = status as NodeStatus;
  // the 0 of a node that did not answer is no count
  return state === 'ok' ? upper : null;
};
const withheld = (status: unknown): boolean => (status as NodeStatus).withheld !== undefined;
const disclosure = (status: unknown) => (status as NodeStatus).withheld ?? null;

/** A node of a network and how its part of a request went: a NodeStatus. */
export const nodeStatusType = new GraphQLObjectType({
  name: 'NetworkNode',
  description: 'A node of a network and how its part of the request went. A catalogue that is no network is its only node.',
  fields: {
    nodeId: { type: GraphQLString, description: 'The id that nodes.json gives it.' },
    name: { type: GraphQLString, description: 'Its display name.' },
    hits: { type: GraphQLInt, description: 'How many of its documents match: at least, where they are withheld; null when it was not asked.' },
    upper_bound: { type: GraphQLInt, description: 'How many match at most: `hits`, where that is exact; null where it is not known.', resolve: upperBound },
    withheld: { type: GraphQLBoolean, description: 'Whether it shows no documents to this caller, and counts only as intervals.', resolve: withheld },
    disclosure: { type: jsonScalar, description: 'What its answers are then: `tier`, `threshold`, what is `counted`, and the `date` of the release; null otherwise.', resolve: disclosure },
    status: { type: GraphQLString, description: 'OK or ERROR; null when it was not asked.' },
    errors: { type: GraphQLString, description: 'What went wrong, in words; "" when nothing did.' },
    state: { type: GraphQLString, description: 'ok, excluded, or why it could not answer, such as timeout, circuitOpen or discoveryFailed.' },
    code: { type: GraphQLString, description: 'The code of what went wrong; null when nothing did.' },
    took: { type: GraphQLInt, description: 'How long it took, in milliseconds.' },
    key: { type: GraphQLString, description: "Names the catalogue wherever it is met: its server's key and its id; null when it is not known." },
    uncoveredFields: { type: new GraphQLList(GraphQLString), description: 'The fields of the question that it does not have.' },
  },
}); // prettier-ignore
