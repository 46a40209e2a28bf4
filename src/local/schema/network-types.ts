import { parentPaths, aggregationName, type Field, type Fields } from '../../introspection/fields/field.ts';
import type { GraphQLOutputType } from 'graphql';
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  GraphQLInputObjectType,
} from 'graphql';
import { aggregationsType, numericAggregationsType } from '../../facets/measures.ts';
import { byResponseKey } from '../../graphql/execution.ts';
import { described, jsonScalar, numberScalar } from '../../graphql/scalars.ts';
import type { JsonValue } from '../../json/json.ts';
import type { FieldConfigs } from './connection-type.ts';
import { fieldText } from './field-text.ts';
import { totalBoundsFields } from './shared-types.ts';
import { badUserInput } from '../../errors/errors.ts';
import type { NodeSelection, WaitFor } from '../../search/nodes-answer.ts';

/** A row of the field `network`, as its types expect it. */
export interface FlatEdge {
  readonly nodeId: string;
  readonly searchAfter: () => string | null;
  readonly node: FlatHit;
}

export interface FlatHit {
  readonly id: string;
  /** The value of a network field, in the network's values; null if the node lacks the field. */
  readonly value: (field: Field) => JsonValue;
}

/** The pages of the field `network`. Its types are separate from a catalogue's, and flat: one field for each path. */
export const flatHitsType = (fields: Fields): GraphQLObjectType => {
  const hit = new GraphQLObjectType({
    name: 'NetworkHit',
    description: 'A document of a node: one field for each path, its dots as __.',
    fields: hitFields(fields),
  });
  const edge = new GraphQLObjectType({
    name: 'NetworkEdge',
    description: 'A place in a page of the network.',
    fields: {
      node: { type: hit, description: 'The document.' },
      nodeId: { type: GraphQLString, description: 'The id of the node it is from.' },
      searchAfter: {
        type: jsonScalar,
        description: 'The cursor of this place: the next page continues after it.',
        // cursors are built only for clients that select them
        resolve: (source) => (source as FlatEdge).searchAfter(),
      },
    },
  });
  return new GraphQLObjectType({
    name: 'NetworkConnection',
    description: 'A page of documents of all nodes.',
    fields: {
      total: described(
        GraphQLInt,
        'How many match in all, not only on this page: at least, where upper_bound is more.',
      ),
      ...totalBoundsFields,
      edges: { type: new GraphQLList(edge), description: 'In the order of the sort.' },
    },
  });
};

/** Flat: one field per path that holds values, with its dots as `__`. */
const hitFields = (fields: Fields): FieldConfigs => {
  const map: FieldConfigs = {
    id: {
      type: new GraphQLNonNull(GraphQLID),
      description: 'Its identifier at its node.',
      resolve: (source) => (source as FlatHit).id,
    },
  };
  const parents = parentPaths(fields);
  for (const field of fields.values()) {
    const name = aggregationName(field.path);
    const isParent = (field.kind === 'object' || field.kind === 'nested') && parents.has(field.path);
    if (Object.hasOwn(map, name) || isParent) continue;
    map[name] = {
      type: field.isArray ? new GraphQLList(valueType(field)) : valueType(field),
      description: fieldText(field),
      resolve: (source) => (source as FlatHit).value(field),
      extensions: { path: field.path },
    };
  }
  return map;
};

const valueType = ({ kind }: Field): GraphQLOutputType => {
  switch (kind) {
    case 'keyword':
    case 'text':
    case 'date':
      return GraphQLString;
    case 'number':
      return numberScalar;
    case 'boolean':
      return GraphQLBoolean;
    case 'range':
    case 'object':
    case 'nested':
    case 'flattened':
    case 'json':
      return jsonScalar;
  }
};

/** The facets of the field `network`; null where it has none, as GraphQL allows no type without fields. */
export const flatFacetsType = (fields: Fields): GraphQLObjectType | null => {
  const map = facetFields(fields);
  if (Object.keys(map).length === 0) return null;
  return new GraphQLObjectType({
    name: 'NodeAggregations',
    description: 'The facets of the network: one field for each path, its dots as __.',
    fields: map,
  });
};

const facetFields = (fields: Fields): FieldConfigs => {
  const map: FieldConfigs = {};
  for (const field of fields.values()) {
    const { path, kind, hierarchy } = field;
    const name = aggregationName(path);
    if (Object.hasOwn(map, name) || kind === 'nested' || kind === 'json' || kind === 'range') continue;
    const type = kind === 'number' || kind === 'date' ? numericAggregationsType : aggregationsType;
    const extensions = { path, kind, hierarchy };
    map[name] = { type, description: fieldText(field), resolve: byResponseKey, extensions };
  }
  return map;
};

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

interface NodesArguments {
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
