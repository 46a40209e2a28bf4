import { RenameTypes, wrapSchema } from '@graphql-tools/wrap';
import type { GraphQLFieldConfigMap, GraphQLSchema } from 'graphql';
import { GraphQLObjectType } from 'graphql';
import { TributaryError } from '../errors.ts';
import { graphqlSegment } from '../introspection/names.ts';
import type { Caller } from '../local/query.ts';
import type { NodeSchema, NodeView } from './node-view.ts';
import type { GraphqlAnswer } from './transport.ts';

/**
 * Beside `network`, each healthy node's own schema under a root field named after its id, its types prefixed with that
 * name. The field and all below it are nullable, so that a dead node costs its own part only; mutations are left out.
 */
export const nodeRootFields = (nodes: readonly NodeView[]): GraphQLFieldConfigMap<unknown, Caller> => {
  const fields: GraphQLFieldConfigMap<unknown, Caller> = {};
  for (const { config, status } of nodes) {
    if (status.kind === 'down' || !status.schema) continue;
    const name = graphqlSegment(config.nodeId);
    fields[name] = { type: nodeType(name, status.schema, config.timeoutMs), resolve: () => ({}) };
  }
  return fields;
};

const nodeType = (name: string, node: NodeSchema, timeoutMs: number): GraphQLObjectType => {
  const wrapped = wrapSchema<Caller & Record<string, unknown>>({
    schema: node.schema(),
    transforms: [new RenameTypes((type) => `${name}_${type}`)],
    // without an executor the schema is executed here, with the caller's own context
    ...(node.execute && {
      executor: async ({ document, variables, context }) => {
        const caller = context as Caller;
        const deadline = AbortSignal.timeout(timeoutMs);
        const signal = caller.signal ? AbortSignal.any([caller.signal, deadline]) : deadline;
        return withoutForeignText(await node.execute!(document, variables, { ...caller, signal })) as never;
      },
    }),
  });
  return new GraphQLObjectType({ name: `${name}_Root`, fields: rootFields(wrapped, name) });
};

/** The wrapped root fields; one that returns the root type itself would lead out of the node. */
const rootFields = (wrapped: GraphQLSchema, name: string): GraphQLFieldConfigMap<unknown, Caller> => {
  const root = wrapped.getQueryType();
  if (!root) throw new TributaryError('NODE_BAD_RESPONSE', `the schema of "${name}" has no query type`);
  const fields = Object.entries(root.toConfig().fields);
  return Object.fromEntries(fields.filter(([, field]) => field.type !== root));
};

/** A node's own messages stay where they are: one short reason takes their place. */
const withoutForeignText = (answer: GraphqlAnswer): GraphqlAnswer => {
  if (!answer.errors?.length) return answer;
  throw new TributaryError('NODE_BAD_RESPONSE', 'answered with GraphQL errors');
};
