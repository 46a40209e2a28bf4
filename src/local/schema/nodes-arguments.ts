import {
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql';
import { badUserInput } from '../../errors/errors.ts';
import { described } from '../../graphql/scalars.ts';
import type { NodeSelection, WaitFor } from '../../search/nodes-answer.ts';

const waitForInput = new GraphQLInputObjectType({
  name: 'WaitFor',
  description: 'When to answer although some nodes may still answer: once both hold, or all have ended.',
  fields: {
    share: {
      type: new GraphQLNonNull(GraphQLFloat),
      description: 'The share of the nodes that have answered, from 0 to 1.',
    },
    ms: { type: new GraphQLNonNull(GraphQLInt), description: 'The time that has passed, in milliseconds.' },
  },
});

/** The argument of a root field that limits the wait for its nodes. */
export const waitForArgument = {
  waitFor: described(
    waitForInput,
    'When to answer although some nodes may still answer; those are `pending`. By default all are waited for, each within its own time.',
  ),
};

/** @throws TributaryError BAD_USER_INPUT for a share or a time out of range */
export const waitForOf = (waitFor: WaitFor | null | undefined): WaitFor | undefined => {
  if (waitFor == null) return undefined;
  const { share, ms } = waitFor;
  if (share >= 0 && share <= 1 && ms >= 0 && ms <= 600_000) return { share, ms };
  throw badUserInput(`waitFor takes a share from 0 to 1 and up to 600000 ms, not ${share} and ${ms} ms`);
};

/** The arguments of a root field that select the nodes to query. */
export const nodesArguments = {
  nodesFilter: described(new GraphQLList(GraphQLString), 'The ids of the nodes to query; all by default.'),
  required: described(
    new GraphQLList(GraphQLString),
    'The ids of nodes without which there is no answer; by default those that the network requires.',
  ),
  ...waitForArgument,
};

/** Which nodes a root field queries, as GraphQL passes it. */
export interface NodesArguments {
  readonly nodesFilter?: readonly (string | null)[] | null;
  readonly required?: readonly (string | null)[] | null;
  readonly waitFor?: WaitFor | null;
}

/** The source of a document type's fields: the arguments of its root field. */
export interface RootSource {
  readonly nodes: NodeSelection | null;
}

/** An empty list means all nodes; a list of only nulls names none. */
export const rootSource = ({ nodesFilter, required, waitFor: waits }: NodesArguments): RootSource => {
  const waitFor = waitForOf(waits);
  const only = nodesFilter && nodesFilter.length > 0 ? nodesFilter.filter((id) => id !== null) : null;
  const needed = (required ?? []).filter((id) => id !== null);
  if (only === null && needed.length === 0 && waitFor === undefined) return { nodes: null };
  return { nodes: { only, required: needed, ...(waitFor && { waitFor }) } };
};

/** The nodes that the root field above selects; null for all. */
export const nodeSelectionOf = (source: unknown): NodeSelection | null =>
  (source as Partial<RootSource> | null | undefined)?.nodes ?? null;

/**
 * The selected nodes of a catalogue that is not a network: its only node is itself.
 * @throws TributaryError BAD_USER_INPUT for another node
 */
export const ownRootSource = (args: NodesArguments, nodeId: string): RootSource => {
  const { nodes } = rootSource(args);
  const excludes = nodes?.only != null && !nodes.only.includes(nodeId);
  const unknown = excludes ? null : nodes?.required.find((id) => id !== nodeId);
  if (!excludes && unknown == null) return { nodes: null };
  throw badUserInput(
    excludes
      ? `nodesFilter leaves out "${nodeId}", the only node here`
      : `required names "${unknown}", but the only node here is "${nodeId}"`,
  );
};
