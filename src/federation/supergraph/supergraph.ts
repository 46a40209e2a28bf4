import { RenameTypes, wrapSchema } from '@graphql-tools/wrap';
import type { DocumentNode, GraphQLFieldConfigMap } from 'graphql';
import { GraphQLObjectType, GraphQLSchema, execute, isSpecifiedScalarType } from 'graphql';
import { TributaryError } from '../../errors.ts';
import { graphqlSegment } from '../../introspection/fields/names.ts';
import type { Caller } from '../../search/query.ts';
import { withDeadline } from '../nodes/deadline.ts';
import { describeMissing } from './describe-missing.ts';
import type { NodeSchema, NodeView } from '../nodes/node-view.ts';
import { isSharedType, shareTypes, sharedNamesIn, sharedTypeNames } from './share-types.ts';

/** The root fields of the nodes, and which nodes have none and why. */
export interface NodeRootFields {
  readonly fields: GraphQLFieldConfigMap<unknown, Caller>;
  readonly warnings: readonly string[];
}

/**
 * Beside `network`, each healthy node's own schema under a root field named after its id, its types prefixed with that
 * name but for those that all nodes share. The field and all below it are nullable, so that a dead node costs its own part only; mutations are left out.
 */
export const nodeRootFields = (nodes: readonly NodeView[]): NodeRootFields => {
  const fields: GraphQLFieldConfigMap<unknown, Caller> = {};
  const warnings: string[] = [];
  const taken = new Set<string>(sharedTypeNames);
  for (const { config, status } of nodes) {
    if (status.kind === 'down' || !status.schema) continue;
    const name = graphqlSegment(config.nodeId);
    try {
      const type = nodeType(name, status.schema, config.timeoutMs);
      const clash = claimNames(type, taken);
      if (clash !== null)
        throw new TributaryError('schema_build_error', `its type name ${clash} is taken by another node`);
      const description = `Node "${config.nodeId}" by itself, in its own names and values.`;
      fields[name] = { type, description, resolve: () => ({}) };
    } catch (error) {
      // one schema that does not fit must not cost the others theirs
      const why = error instanceof TributaryError ? error.message : 'its schema does not fit';
      warnings.push(`node "${config.nodeId}" has no root field of its own here: ${why}`);
    }
  }
  return { fields, warnings };
};

/** Takes the names of all types below a root field; the one that another node has, and then none is taken. */
const claimNames = (type: GraphQLObjectType, taken: Set<string>): string | null => {
  const types = Object.values(new GraphQLSchema({ query: type }).getTypeMap());
  const names = types
    .filter((one) => !isSpecifiedScalarType(one) && !isSharedType(one))
    .map((one) => one.name)
    .filter((one) => !one.startsWith('__'));
  const clash = names.find((one) => taken.has(one)) ?? null;
  if (clash === null) for (const one of names) taken.add(one);
  return clash;
};

const nodeType = (name: string, node: NodeSchema, timeoutMs: number): GraphQLObjectType => {
  const schema = node.schema();
  const shared = sharedNamesIn(schema);
  const send = node.execute ?? executeHere(schema);
  const wrapped = wrapSchema<Caller & Record<string, unknown>>({
    schema,
    transforms: [new RenameTypes((type) => (shared.has(type) ? type : `${name}_${type}`))],
    executor: async ({ document, variables, context }) =>
      (await withDeadline(timeoutMs, context as Caller, (caller) =>
        send(document, variables as Readonly<Record<string, unknown>>, caller),
      )) as never,
  });
  shareTypes(wrapped, shared);
  describeMissing(wrapped, `As node ${name} has it.`);
  return new GraphQLObjectType({
    name: `${name}_Root`,
    description: `What node ${name} can be asked.`,
    fields: rootFields(wrapped, name),
  });
};

/** A local node: with the caller's own context, and so with its access filter. */
const executeHere =
  (schema: GraphQLSchema): NonNullable<NodeSchema['execute']> =>
  async (document: DocumentNode, variableValues, contextValue) =>
    execute({ schema, document, contextValue, ...(variableValues && { variableValues }) }) as never;

/** The wrapped root fields; one that returns the root type itself would lead out of the node. */
const rootFields = (wrapped: GraphQLSchema, name: string): GraphQLFieldConfigMap<unknown, Caller> => {
  const root = wrapped.getQueryType();
  if (!root) throw new TributaryError('NODE_BAD_RESPONSE', `the schema of "${name}" has no query type`);
  const fields = Object.entries(root.toConfig().fields);
  return Object.fromEntries(fields.filter(([, field]) => field.type !== root));
};
