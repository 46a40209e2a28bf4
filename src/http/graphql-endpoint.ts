import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  getOperationAST,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { createYoga, useExecutionCancellation, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { mostTokens, oversized } from './document-size.ts';
import { presentResult } from './graphql-errors.ts';
import type { GraphQLRequest } from './graphql-request.ts';
import { limitRules } from './query-limits.ts';
import type { WarnedCaller } from './request-context.ts';
import type { QueryLimits } from './settings.ts';

/** One schema, ready to answer requests. Parsed and validated documents are cached. */
export interface GraphQLEndpoint {
  readonly answer: (request: GraphQLRequest, caller: WarnedCaller, accept: string) => Promise<Response>;
}

export interface EndpointOptions {
  readonly limits: QueryLimits;
  readonly batching: boolean;
  readonly log: Logger;
}

/** What resolvers get as their context: the caller, and the request it came with. */
interface ServerContext extends WarnedCaller {
  readonly graphql: GraphQLRequest;
}

type EndpointPlugin = Plugin<ServerContext, ServerContext>;

/** The path is not looked at: the router has done that. */
const anyUrl = 'http://localhost/graphql';
const responseType = 'application/graphql-response+json';

/** Serves a schema with GraphQL over HTTP; the resolvers' context is the Caller. */
export const createGraphQLEndpoint = (schema: GraphQLSchema, options: EndpointOptions): GraphQLEndpoint => {
  const yoga = createYoga<ServerContext>({
    schema,
    batching: options.batching,
    plugins: [
      useReadRequest,
      useLimits(options.limits),
      useNoSimpleMutations,
      useExecutionCancellation(),
      usePresentation(options),
    ],
    // Errors are presented, and hidden where needed, in one place of ours.
    maskedErrors: { maskError: asGraphQLError },
    graphiql: false,
    landingPage: false,
    cors: false,
    logging: false,
    multipart: false,
    maxRequestBodySize: false,
  });
  return {
    answer: async (request, caller, accept) =>
      yoga.fetch(
        new Request(anyUrl, {
          method: request.method,
          headers: { accept: accept.includes(responseType) ? responseType : 'application/json' },
          ...(caller.signal === undefined ? {} : { signal: caller.signal }),
        }),
        { ...caller, graphql: request },
      ),
  };
};

/** The body has been read: it has a size limit, and forms and variables that Yoga does not know. */
const useReadRequest: EndpointPlugin = {
  onRequestParse: ({ serverContext, setRequestParser }) => {
    const { params } = serverContext.graphql;
    setRequestParser(() => params);
  },
};

const useLimits = (limits: QueryLimits): EndpointPlugin => {
  const rules = limitRules(limits);
  return {
    onParse: ({ parseFn, setParseFn }) => {
      setParseFn((source, options) => parseFn(source, { ...options, maxTokens: mostTokens }) as unknown);
      return ({ result }) => refuseSecondAnonymous(result);
    },
    onValidate: ({ addValidationRule, setResult, params }) => {
      const refusal = oversized(params.documentAST as DocumentNode);
      if (refusal === null) rules.forEach(addValidationRule);
      else setResult([refusal]);
    },
  };
};

/** Which operation is meant is looked for before the document is validated, and would fail with another code. */
const refuseSecondAnonymous = (parsed: unknown): void => {
  if (parsed instanceof Error) return;
  const operations = (parsed as DocumentNode).definitions.filter(
    ({ kind }) => kind === Kind.OPERATION_DEFINITION,
  );
  const anonymous = operations.find((operation) => 'name' in operation && operation.name === undefined);
  if (operations.length < 2 || anonymous === undefined) return;
  throw new GraphQLError('an operation without a name must be the only one of its document', {
    nodes: anonymous,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });
};

/** A form can be sent by a page of any other site, with the visitor's rights and without a preflight. */
const useNoSimpleMutations: EndpointPlugin = {
  onExecute: ({ args }) => {
    const operation = getOperationAST(args.document, args.operationName);
    const { graphql } = args.contextValue as unknown as ServerContext;
    if (operation?.operation === OperationTypeNode.MUTATION && graphql.simple)
      throw new GraphQLError('a mutation must be sent as application/json');
  },
};

const usePresentation = ({ log, limits }: EndpointOptions): EndpointPlugin => ({
  onExecutionResult: ({ result, setResult, context }) => {
    const { requestId, warnings } = context as unknown as ServerContext;
    const suggestions = !limits.introspectionDisabled;
    if (result !== undefined && !(Symbol.asyncIterator in (result as object)))
      setResult(presentResult(result as ExecutionResult, { requestId, warnings, suggestions, log }));
  },
});

const asGraphQLError = (error: unknown): Error => {
  if (error instanceof GraphQLError) return error;
  const cause = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(cause.message, { originalError: cause });
};
