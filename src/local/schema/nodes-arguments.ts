import { GraphQLList, GraphQLString } from 'graphql';
import { TributaryError } from '../../errors.ts';
import type { NodesAsked } from '../../search/nodes-answer.ts';

/** The arguments of a root field that say which nodes are asked. */
export const nodesArguments = {
  nodesFilter: {
    type: new GraphQLList(GraphQLString),
    description: 'The ids of the nodes to ask; all by default.',
  },
  required: {
    type: new GraphQLList(GraphQLString),
    description: 'The ids of nodes without which there is no answer; by default those that the network requires.',
  },
}; // prettier-ignore

interface NodesArguments {
  readonly nodesFilter?: readonly (string | null)[] | null;
  readonly required?: readonly (string | null)[] | null;
}

/** The source of a document type's fields: what its root field was asked. */
export interface RootSource {
  readonly nodes: NodesAsked | null;
}

/** An empty list means all nodes; a list of only nulls names none. */
export const rootSource = ({ nodesFilter, required }: NodesArguments): RootSource => {
  const only = nodesFilter && nodesFilter.length > 0 ? nodesFilter.filter((id) => id !== null) : null;
  const needed = (required ?? []).filter((id) => id !== null);
  return { nodes: only === null && needed.length === 0 ? null : { only, required: needed } };
};

/** What the root field above was asked; null when it took no nodes. */
export const nodesAskedOf = (source: unknown): NodesAsked | null =>
  (source as Partial<RootSource> | null | undefined)?.nodes ?? null;

/**
 * The same for a catalogue that is no network: its only node is itself.
 * @throws TributaryError BAD_USER_INPUT for another node
 */
export const ownRootSource = (args: NodesArguments, nodeId: string): RootSource => {
  const { nodes } = rootSource(args);
  const excludes = nodes?.only != null && !nodes.only.includes(nodeId);
  const unknown = excludes ? null : nodes?.required.find((id) => id !== nodeId);
  if (!excludes && unknown == null) return { nodes: null };
  throw new TributaryError(
    'BAD_USER_INPUT',
    excludes
      ? `nodesFilter leaves out "${nodeId}", the only node here`
      : `required names "${unknown}", but the only node here is "${nodeId}"`,
  );
};
