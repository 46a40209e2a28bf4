import type { SubschemaConfig, Transform } from '@graphql-tools/delegate';
import { FilterRootFields, RenameTypes, WrapFields } from '@graphql-tools/wrap';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { execute, getNamedType, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import type { RequestContext } from '../../search/request-context.ts';
import { withDeadline } from '../nodes/call-guards.ts';
import type { NodeSchema, NodeView } from '../nodes/node-view.ts';
import { askNode } from './ask-node.ts';
import { isSharedType } from './share-types.ts';

export interface NodeParts {
  /** Name of its root field. */
  readonly name: string;
  readonly view: NodeView;
  readonly schema: GraphQLSchema;
  /** The names of its types that all nodes share. */
  readonly shared: ReadonlySet<string>;
  readonly execute: NodeSchema['execute'];
}

/** The type name of a node's root field. */
export const rootTypeName = (name: string): string => `${name}_Root`;

/** The name of a node's type, distinct from the other nodes'. */
export const nodeTypeName = (name: string, type: string): string => `${name}_${type}`;

type Subschema = SubschemaConfig<unknown, unknown, unknown, Record<string, unknown>>;

/** One node as a stitching subschema: its queries below one field, its types under distinct names. */
export const nodeSubschema = ({ name, view, schema, shared, execute: send }: NodeParts): Subschema => {
  const root = schema.getQueryType()!.name;
  const { source, timeoutMs } = view.config;
  const maxAliases = source.kind === 'remote' ? source.maxAliases : Infinity;
  const run = send ?? executeHere(schema);
  return {
    schema,
    // a field used twice under aliases is requested once
    batch: true,
    transforms: [
      // a field that returns the root again would lead out of the node
      new FilterRootFields(
        (operation, _name, field) => operation === 'Query' && getNamedType(field!.type).name !== root,
      ),
      new RenameTypes((type) => (type === root || shared.has(type) ? type : nodeTypeName(name, type))),
      // nullable, unlike WrapType's field; WrapType also empties the wrapped type after a renaming
      new WrapFields(root, [name], [rootTypeName(name)], undefined, 'node', { isNullable: true }),
      describing(`As node ${name} has it.`),
    ],
    executor: async ({ document, variables, context }) =>
      askNode(
        { document, variables: (variables ?? {}) as Readonly<Record<string, unknown>>, maxAliases, root },
        (part) =>
          withDeadline(timeoutMs, context as unknown as RequestContext, (requestContext) =>
            run(part.document, part.variables, requestContext),
          ),
      ) as never,
  };
};

const describing = (description: string): Transform => ({
  transformSchema: (schema) => {
    describeMissing(schema, description);
    return schema;
  },
});

/** A local node: runs with the caller's own context, and so with its access filter. */
const executeHere =
  (schema: GraphQLSchema): NonNullable<NodeSchema['execute']> =>
  async (document: DocumentNode, variableValues, contextValue) =>
    execute({ schema, document, contextValue, ...(variableValues && { variableValues }) }) as never;

interface Describable {
  description: string | null | undefined;
}

/**
 * Adds a description to every type, field, argument and value of a node's schema that lacks one: the established server
 * describes nothing. The schema is modified in place; types shared by nodes are already our own.
 */
const describeMissing = (schema: GraphQLSchema, description: string): void => {
  const describe = (one: Describable): void => {
    if (!one.description) one.description = description;
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || isSharedType(type)) continue;
    describe(type);
    if (isEnumType(type)) type.getValues().forEach(describe);
    if (isInputObjectType(type)) Object.values(type.getFields()).forEach(describe);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      describe(field);
      field.args.forEach(describe);
    }
  }
};
