import { stitchSchemas } from '@graphql-tools/stitch';
import type { GraphQLFieldConfig, GraphQLFieldConfigMap, GraphQLNamedType } from 'graphql';
import { GraphQLObjectType, GraphQLSchema, isObjectType, isSpecifiedScalarType } from 'graphql';
import { TributaryError } from '../../lib/errors/errors.ts';
import { graphqlSegment } from '../../introspection/fields/field.ts';
import type { RequestContext } from '../../search/request-context.ts';
import type { NodeUp, NodeView } from '../nodes/node-view.ts';
import { nodeSubschema, nodeTypeName, rootTypeName, type NetworkName } from './node-subschema.ts';
import { isSharedType, shareTypes, sharedNamesIn, sharedTypeNames } from './share-types.ts';
import { countOf, plural } from '../../lib/text/plural.ts';

/** The schema of a network and its nodes, and which nodes have no root field in it, with the reason. */
export interface Supergraph {
  readonly schema: GraphQLSchema;
  readonly warnings: readonly string[];
}

/** The limit on nodes with a root field: each is a schema as large as a catalogue's. */
const maxNodes = 100;

/**
 * In addition to the network's fields, exposes each healthy node's own schema under a root field named after its id. Its
 * types are prefixed with that name except those shared by all nodes. The field is nullable, so that a failed node loses
 * only its own part; mutations are left out.
 * @param ownSchema the schema of the network's own fields
 */
export const buildSupergraph = (
  ownSchema: GraphQLSchema,
  nodes: readonly NodeView[],
  network: NetworkName,
): Supergraph => {
  const { entries, warnings } = fittingNodes(nodes, ownSchema);
  if (entries.length === 0) return { schema: ownSchema, warnings };
  const stitched = stitchSchemas<Record<string, unknown>>({
    subschemas: entries.map(({ name, view, schema, shared }) =>
      nodeSubschema({ network, name, view, schema, shared, execute: view.status.schema!.execute }),
    ),
  });
  shareTypes(stitched, new Set(entries.flatMap(({ shared }) => [...shared])));
  for (const { name } of entries)
    stitched.getType(rootTypeName(name))!.description = `What can be queried at node ${name}.`;
  return { schema: withNodeFields(ownSchema, stitched, entries), warnings };
};

/** A node that has a root field. */
interface Entry {
  /** Name of the root field. */
  readonly name: string;
  readonly view: NodeView & { readonly status: NodeUp };
  readonly schema: GraphQLSchema;
  readonly shared: ReadonlySet<string>;
}

const fittingNodes = (
  nodes: readonly NodeView[],
  ownSchema: GraphQLSchema,
): { readonly entries: readonly Entry[]; readonly warnings: readonly string[] } => {
  const taken = new Set<string>([...sharedTypeNames, ...Object.keys(ownSchema.getTypeMap())]);
  const fields = ownSchema.getQueryType()!.getFields();
  const entries: Entry[] = [];
  const warnings: string[] = [];
  const able = nodes.filter(hasSchema);
  for (const view of able.slice(0, maxNodes)) {
    const { config, status } = view;
    try {
      const name = graphqlSegment(config.nodeId);
      const isTaken = takenRootField(config.nodeId, fields);
      if (isTaken !== null) {
        warnings.push(isTaken);
        continue;
      }
      const schema = status.schema!.schema();
      const entry = { name, view, schema, shared: sharedNamesIn(schema) };
      claimNames(entry, taken);
      entries.push(entry);
    } catch (error) {
      // one incompatible schema must not break the others
      const why = error instanceof TributaryError ? error.message : 'its schema does not fit';
      warnings.push(withoutRootField(config.nodeId, why));
    }
  }
  return { entries, warnings: [...warnings, ...beyond(able)] };
};

const withoutRootField = (nodeId: string, why: string): string =>
  `node "${nodeId}" has no root field of its own here: ${why}`;

/**
 * The warning about a node whose root field would have the name of a network field, which takes precedence; null if there
 * is no conflict.
 * @param ownFields the network's root fields, by name
 */
export const takenRootField = (
  nodeId: string,
  ownFields: Readonly<Record<string, unknown>>,
): string | null => {
  const name = graphqlSegment(nodeId);
  return Object.hasOwn(ownFields, name)
    ? withoutRootField(nodeId, `${name} is a root field of the network`)
    : null;
};

const hasSchema = (view: NodeView): view is Entry['view'] =>
  view.status.kind === 'up' && view.status.schema !== undefined;

const beyond = (able: readonly NodeView[]): readonly string[] =>
  able.length <= maxNodes
    ? []
    : [
        `${countOf(able.length - maxNodes, 'node')} ${plural(able.length - maxNodes, 'has', 'have')} no root field of ${plural(able.length - maxNodes, 'its', 'their')} own here (the first is "${able[maxNodes]!.config.nodeId}"): only ${maxNodes} nodes can have one`,
      ];

/**
 * Claims the names of all types of a node.
 * @throws TributaryError when another node has one of them, in which case none is claimed
 */
const claimNames = ({ name, schema, shared }: Entry, taken: Set<string>): void => {
  const root = schema.getQueryType();
  if (!root) throw new TributaryError('NODE_BAD_RESPONSE', 'its schema has no query type');
  const names = new Set([rootTypeName(name)]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (type === root || isCommon(type) || shared.has(type.name)) continue;
    const claimed = nodeTypeName(name, type.name);
    if (taken.has(claimed) || names.has(claimed))
      throw new TributaryError('schema_build_error', `its type name ${claimed} is taken by another node`);
    names.add(claimed);
  }
  for (const name of names) taken.add(name);
};

const isCommon = (type: GraphQLNamedType): boolean =>
  type.name.startsWith('__') || isSpecifiedScalarType(type) || isSharedType(type);

/** A root type of our own, since the network's fields are unknown to the library. */
const withNodeFields = (
  ownSchema: GraphQLSchema,
  stitched: GraphQLSchema,
  entries: readonly Entry[],
): GraphQLSchema => {
  const { fields, ...root } = ownSchema.getQueryType()!.toConfig();
  const stitchedFields = stitched.getQueryType()!.toConfig().fields;
  const nodeFields = entries.map(({ name, view }): [string, GraphQLFieldConfig<unknown, RequestContext>] => [
    name,
    {
      ...stitchedFields[name]!,
      description: `Node "${view.config.nodeId}" by itself, in its own names and values.`,
    },
  ]);
  const mutation = ownSchema.getMutationType();
  const query: GraphQLObjectType = new GraphQLObjectType({
    ...root,
    fields: () => ({ ...rootFields(fields, ownSchema, query), ...Object.fromEntries(nodeFields) }),
  });
  return new GraphQLSchema({
    query,
    ...(mutation && { mutation }),
    types: [
      ...typesOf(ownSchema),
      // no field leads to types that only implement an interface
      ...Object.values(stitched.getTypeMap()).filter(
        (type) => isObjectType(type) && type.getInterfaces().length > 0,
      ),
    ],
    // what the library knows about its subschemas
    extensions: stitched.extensions,
  });
};

/** A network field that returns the root again returns the root with the nodes. */
const rootFields = (
  fields: GraphQLFieldConfigMap<unknown, RequestContext>,
  ownSchema: GraphQLSchema,
  root: GraphQLObjectType,
): GraphQLFieldConfigMap<unknown, RequestContext> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.type === ownSchema.getQueryType() ? { ...field, type: root } : field,
    ]),
  );

/** All types of the network except its roots: no field leads to some of them. */
const typesOf = (schema: GraphQLSchema): readonly GraphQLNamedType[] => {
  const roots: readonly unknown[] = [schema.getQueryType(), schema.getMutationType()];
  return Object.values(schema.getTypeMap()).filter((type) => !roots.includes(type));
};
