import type { SubschemaConfig, Transform } from '@graphql-tools/delegate';
import { FilterRootFields, RenameTypes, WrapFields } from '@graphql-tools/wrap';
import type { DocumentNode, GraphQLSchema, FieldNode } from 'graphql';
import {
  execute,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  GraphQLError,
  print,
} from 'graphql';
import { auditing } from '../../search/audited-search.ts';
import { withDeadline, type RequestContext } from '../../search/request-context.ts';
import type { NodeSchema, NodeView } from '../nodes/node-view.ts';
import { isSharedType } from './share-types.ts';
import { TributaryError, asTributaryError } from '../../lib/errors/errors.ts';
import { isJsonObject } from '../../lib/json/json.ts';
import { assertNoErrors } from '../remote/answer-errors.ts';
import { passedOn } from '../remote/network-node.ts';
import type { GraphqlAnswer, GraphqlAnswerError } from '../remote/http-executor.ts';
import { responseName, rootFields, splitRequest, type RequestPart } from './split-request.ts';

export interface NodeParts {
  readonly network: NetworkName;
  /** Name of its root field. */
  readonly name: string;
  readonly view: NodeView;
  readonly schema: GraphQLSchema;
  /** The names of its types that all nodes share. */
  readonly shared: ReadonlySet<string>;
  readonly execute: NodeSchema['execute'];
}

/** What a network is known by: to people, and to the servers that its queries pass. */
export interface NetworkName {
  readonly displayName: string;
  /** The key of its server. */
  readonly key: string;
}

/** The type name of a node's root field. */
export const rootTypeName = (name: string): string => `${name}_Root`;

/** The name of a node's type, distinct from the other nodes'. */
export const nodeTypeName = (name: string, type: string): string => `${name}_${type}`;

type Subschema = SubschemaConfig<unknown, unknown, unknown, Record<string, unknown>>;

/** One node as a stitching subschema: its queries below one field, its types under distinct names. */
export const nodeSubschema = ({
  network,
  name,
  view,
  schema,
  shared,
  execute: send,
}: NodeParts): Subschema => {
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
    executor: async ({ document, variables = {}, context }) => {
      const requestContext = context as unknown as RequestContext;
      const request = { document, variables, maxAliases, root } as NodeRequest;
      const target = { network: network.displayName, nodeId: view.config.nodeId };
      return (await audited(request, target, requestContext, () =>
        queryNode(request, async (part) =>
          withDeadline(timeoutMs, passedOn(requestContext, network.key, 0), (limited) =>
            run(part.document, part.variables, limited),
          ),
        ),
      )) as never;
    },
  };
};

/** Audits what a node is sent unchanged: its names and filters are its own. */
const audited = (
  { document, variables }: NodeRequest,
  { network, nodeId }: { readonly network: string; readonly nodeId: string },
  { observer }: RequestContext,
  query: () => Promise<NodeAnswer>,
): Promise<NodeAnswer> => {
  const startedMs = performance.now();
  return auditing(
    observer.onQuestion,
    query,
    () => ({
      ...{ catalogueId: null, network, nodes: [], filters: null },
      document: JSON.stringify([print(document), variables]),
      fields: rootFields(document).flatMap((field) => (isTypeName(field) ? [] : [field.name.value])),
      kind: /\b(edges|top_hits)\b/.test(print(document)) ? 'rows' : 'count',
    }),
    ({ errors: [error] }) => {
      const state = error === undefined ? 'ok' : asTributaryError(error.originalError).code;
      return { state, nodes: [{ nodeId, state, tookMs: performance.now() - startedMs }] };
    },
  );
};

/** A local node: runs with the caller's own context, and therefore its access filter. */
const executeHere =
  (schema: GraphQLSchema): NonNullable<NodeSchema['execute']> =>
  async (document: DocumentNode, variableValues, contextValue) =>
    execute({ schema, document, contextValue, ...(variableValues && { variableValues }) }) as never;

/** The supergraph's request to one node. */
export interface NodeRequest {
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The name of its query type. */
  readonly root: string;
  /** The maximum number of aliases it accepts in a document. */
  readonly maxAliases: number;
}

export interface NodeAnswer {
  readonly data: Readonly<Record<string, unknown>>;
  readonly errors: readonly GraphQLError[];
}

/**
 * Sends a request to a node and combines the result into one answer: split into concurrent parts if it has more aliases
 * than the node accepts, since stitching aliases each root field. A failure affects only its own root fields, with an
 * error in our own wording.
 * @param send sends one part; whatever it throws becomes errors
 */
const queryNode = async (
  { document, variables, root, maxAliases }: NodeRequest,
  send: (part: RequestPart) => Promise<GraphqlAnswer>,
): Promise<NodeAnswer> => {
  const fields = rootFields(document);
  const queried = fields.filter((field) => !isTypeName(field));
  const parts = splitRequest(document, variables, queried, maxAliases);
  const answers = await Promise.all(parts.map((part) => answerTo(part, send)));
  // known without a request
  const typeNames = fields.filter(isTypeName).map((field) => [responseName(field), root] as const);
  return {
    data: Object.assign(
      Object.fromEntries(typeNames),
      ...answers.map(({ data }) => data),
    ) as NodeAnswer['data'],
    errors: answers.flatMap(({ errors }) => errors),
  };
};

const isTypeName = ({ name }: FieldNode): boolean => name.value === '__typename';

const answerTo = async (
  part: RequestPart,
  send: (part: RequestPart) => Promise<GraphqlAnswer>,
): Promise<NodeAnswer> => {
  const names = part.fields.map(responseName);
  try {
    const { data, errors = [] } = await send(part);
    const values = isJsonObject(data) ? data : {};
    if (errors.length === 0 && names.some((name) => values[name] === undefined)) throw notAnswered();
    return {
      data: Object.fromEntries(names.map((name) => [name, values[name] ?? null])),
      errors: errors.map((error) => safeError(error, names)),
    };
  } catch (error) {
    return {
      data: Object.fromEntries(names.map((name) => [name, null])),
      errors: names.map((name) => errorAt([name], error)),
    };
  }
};

const notAnswered = (): TributaryError =>
  new TributaryError('NODE_BAD_RESPONSE', 'the answer lacks requested fields');

/** A node's error in our own wording. A path outside this part of the request is dropped. */
const safeError = (error: GraphqlAnswerError, names: readonly string[]): GraphQLError => {
  // errors thrown by resolvers of this process are already safe, and are formatted as everywhere else
  if (error instanceof GraphQLError && error.originalError instanceof Error) return error;
  const path = isPath(error.path) && names.includes(String(error.path[0])) ? error.path : [names[0]!];
  try {
    assertNoErrors({ errors: [error] });
  } catch (safe) {
    return errorAt(path, safe);
  }
  throw new TypeError('a GraphQL error was not recognised as one');
};

const isPath = (path: unknown): path is (string | number)[] =>
  Array.isArray(path) &&
  path.length <= 100 &&
  path.every((step) => typeof step === 'string' || typeof step === 'number');

const errorAt = (path: readonly (string | number)[], error: unknown): GraphQLError => {
  const originalError = asTributaryError(error);
  return new GraphQLError(originalError.message, { path, originalError });
};

const describing = (description: string): Transform => ({
  transformSchema: (schema) => {
    describeMissing(schema, description);
    return schema;
  },
});

interface Describable {
  description: string | null | undefined;
}

/**
 * Adds a description to every type, field, argument and value of a node's schema that lacks one: the established server
 * describes nothing. The schema is modified in place; types shared by nodes are already our own.
 */
const describeMissing = (schema: GraphQLSchema, description: string): void => {
  const describe = (target: Describable): void => {
    if (!target.description) target.description = description;
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
