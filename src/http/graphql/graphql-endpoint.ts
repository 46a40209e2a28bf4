import {
  GraphQLError,
  OperationTypeNode,
  execute,
  getOperationAST,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import type { Logger } from 'pino';
import type { ErrorCode } from '../../errors/errors.ts';
import { DeferredValues } from '../../graphql/deferred-values.ts';
import { checkedDocuments, type CheckedDocument, type SchemaFor } from './checked-documents.ts';
import {
  batchStatus,
  httpStatus,
  presentResult,
  retryAfterOf,
  type PresentedResult,
} from './graphql-errors.ts';
import type { GraphQLParams, GraphQLRequest } from './graphql-request.ts';
import type { RequestContext } from '../../search/request-context.ts';
import type { QueryLimits } from '../koa/settings.ts';

/** One schema, ready to answer requests. */
export interface GraphQLEndpoint {
  /**
   * @param context of the resolvers
   * @param accept the request's Accept header: `application/graphql-response+json` is used if it is listed
   */
  readonly answer: (
    request: GraphQLRequest,
    context: RequestContext,
    accept: string,
  ) => Promise<GraphQLAnswer>;
}

/** A response of GraphQL over HTTP. */
export interface GraphQLAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** To be sent as JSON. */
  readonly body: unknown;
}

export interface EndpointOptions {
  /** Facets are kept out of the executor: true by default, false to compare with it. */
  readonly completesAnswers?: boolean;
  readonly limits: QueryLimits;
  readonly log: Logger;
}

const responseType = 'application/graphql-response+json';

/** Serves a schema with GraphQL over HTTP. */
export const createGraphQLEndpoint = (
  schema: GraphQLSchema | SchemaFor,
  options: EndpointOptions,
): GraphQLEndpoint => {
  const schemaFor = typeof schema === 'function' ? schema : () => schema;
  const documentOf = checkedDocuments(schemaFor, options.limits);
  const { completesAnswers: completes = true } = options;
  const suggestions = !options.limits.introspectionDisabled;
  return {
    answer: async (request, context, accept) => {
      const answerOne = async (params: GraphQLParams): Promise<PresentedResult> => {
        const result = await runOperation(params, request, { documentOf, context, completes }).catch(failure);
        return presentResult(result, { context, suggestions, log: options.log });
      };
      const { params } = request;
      if (Array.isArray(params)) {
        const results = await Promise.all(params.map(answerOne));
        return response(batchStatus(results), results, accept);
      }
      const result = await answerOne(params);
      return response(httpStatus(result), result, accept);
    },
  };
};

interface OperationContext {
  readonly completes: boolean;
  readonly documentOf: (query: string) => Promise<CheckedDocument>;
  readonly context: RequestContext;
}

const runOperation = async (
  { query, variables, operationName }: GraphQLParams,
  request: GraphQLRequest,
  { documentOf, context, completes }: OperationContext,
): Promise<ExecutionResult> => {
  const checked = await documentOf(query);
  if (checked.kind === 'refused') return { errors: checked.errors };
  const { document, schema } = checked;
  const refused = rejectedOperation(document, operationName, request);
  if (refused !== null) return { errors: [refused] };
  const finished = new DeferredValues();
  const result = await execute({
    schema,
    document,
    ...(completes && { rootValue: finished }),
    contextValue: context,
    variableValues: variables,
    operationName,
  });
  finished.insertInto(result.data);
  return result;
};

/** Why the selected operation of a valid document may not be run this way; null if it may. */
const rejectedOperation = (
  document: DocumentNode,
  operationName: string | undefined,
  { method, simple }: GraphQLRequest,
): GraphQLError | null => {
  const operation = getOperationAST(document, operationName)?.operation;
  switch (operation) {
    case OperationTypeNode.QUERY:
      return null;
    case OperationTypeNode.MUTATION:
      if (method === 'GET') return refusal('METHOD_NOT_ALLOWED', 'a mutation must be sent by POST');
      // a page of any other site can send a form with the visitor's rights and without a preflight (CSRF)
      return simple ? refusal('BAD_USER_INPUT', 'a mutation must be sent as application/json') : null;
    case OperationTypeNode.SUBSCRIPTION:
      return refusal('BAD_USER_INPUT', 'subscriptions are not supported: a query or a mutation expected');
    case undefined:
      return refusal('BAD_USER_INPUT', unknownOperation(operationName));
  }
};

const unknownOperation = (name: string | undefined): string =>
  name === undefined
    ? 'the document has several operations: operationName must name one of them'
    : `unknown operation named ${JSON.stringify(name.slice(0, 100))}: operationName must name one of the operations of the document`;

const refusal = (code: ErrorCode, message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code } });

/** An error that aborted the whole execution, unlike a field error. */
const failure = (error: unknown): ExecutionResult => {
  const cause = error instanceof Error ? error : new Error(String(error));
  return { errors: [new GraphQLError(cause.message, { originalError: cause })] };
};

const response = (
  status: number,
  body: PresentedResult | readonly PresentedResult[],
  accept: string,
): GraphQLAnswer => {
  const retryAfter = retryAfterOf(Array.isArray(body) ? body : [body]);
  return {
    status,
    headers: {
      'content-type': `${accept.includes(responseType) ? responseType : 'application/json'}; charset=utf-8`,
      ...(status === 405 ? { allow: 'POST' } : {}),
      ...(retryAfter === null ? {} : { 'retry-after': String(retryAfter) }),
    },
    body,
  };
};
