import {
  GraphQLError,
  OperationTypeNode,
  execute,
  getOperationAST,
  Source,
  specifiedRules,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { yieldToEventLoop } from '../../../lib/concurrency/yield-to-event-loop.ts';
import type { ErrorCode } from '../../../lib/errors/errors.ts';
import type { Network } from '../../../federation/network.ts';
import { DeferredValues } from '../../../lib/graphql/execution.ts';
import { limitRules } from './document-limits.ts';
import type { GraphQLParams, GraphQLRequest } from './graphql-request.ts';
import {
  batchStatus,
  httpStatus,
  outcomeOf,
  presentResult,
  retryAfterOf,
  type PresentedResult,
} from './graphql-results.ts';
import { rootFieldsOf, documentOf, type Operation } from './parse-document.ts';
import type { QueryLimits } from '../koa/settings.ts';
import { buildCatalogueSchema } from '../../../local/schema/schema.ts';
import { serverVersion } from '../../../lib/runtime/server-version.ts';
import type { Catalogue } from '../../../search/catalogue.ts';
import type { RequestContext } from '../../../search/request-context.ts';

/**
 * Answers requests to one schema.
 * @param context the context of the resolvers
 * @param accept the request's Accept header: `application/graphql-response+json` is used if it is listed
 */
export type GraphQLEndpoint = (
  request: GraphQLRequest,
  context: RequestContext,
  accept: string,
) => Promise<GraphQLAnswer>;

/** A response of GraphQL over HTTP. */
export interface GraphQLAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The value to send as JSON. */
  readonly body: unknown;
  /** The outcome of each operation. */
  readonly outcomes: readonly string[];
}

/**
 * The endpoints of a server. The latest endpoint of each catalogue and network is kept, as its schema and its checked
 * documents take milliseconds to make; a reloaded mapping, newly discovered nodes and changed limits replace it.
 * @param log receives failures of running queries
 * @returns the endpoint of a catalogue, with the root field `network` once the network is open, or of a network
 */
export const graphqlEndpoints = (log: Logger) => {
  const newest = newestOnly();
  const ofCatalogue = (catalogue: Catalogue, network: Network | null, limits: QueryLimits) => {
    const field = network?.isOpen() === true ? network.field() : null;
    const released = catalogue.disclosure === undefined ? null : catalogue.fields;
    const key = `${released === null ? 'catalogue' : 'release of'} ${catalogue.id}`;
    return newest(key, [catalogue.generatedAt, field, released, ...Object.values(limits)], () => {
      const schema = described(buildCatalogueSchema(catalogue, field === null ? {} : { network: field }));
      return graphqlEndpoint(() => schema, limits, log);
    });
  };
  const ofNetwork = (network: Network, limits: QueryLimits) => {
    const own = network.ownSchema();
    return newest(network, [own, ...Object.values(limits)], () => {
      described(own);
      const schemaFor: SchemaFor = (document) =>
        usesOnly(own, document) ? own : described(network.schema());
      return graphqlEndpoint(schemaFor, limits, log);
    });
  };
  return { ofCatalogue, ofNetwork };
};

/** Keeps the latest endpoint for each key until one of its inputs changes. */
const newestOnly = () => {
  const kept = new Map<
    unknown,
    { readonly inputs: readonly unknown[]; readonly endpoint: GraphQLEndpoint }
  >();
  return (key: unknown, inputs: readonly unknown[], create: () => GraphQLEndpoint): GraphQLEndpoint => {
    const found = kept.get(key);
    if (found?.inputs.every((input, at) => input === inputs[at]) === true) return found.endpoint;
    const endpoint = create();
    kept.set(key, { inputs, endpoint });
    return endpoint;
  };
};

/**
 * Whether a document uses neither the schema of a single node nor introspection, as nearly all do. `viewer` returns the
 * root again.
 */
export const usesOnly = (own: GraphQLSchema, document: DocumentNode): boolean => {
  const fields = own.getQueryType()!.getFields();
  return [...rootFieldsOf(document)].every(
    (name) => (name in fields && name !== 'viewer') || name === '__typename' || name === 'saveSet',
  );
};

/** Adds a description that names this server to other nodes and their admins. */
const described = (schema: GraphQLSchema): GraphQLSchema => {
  schema.description = serverVersion();
  return schema;
};

/** Serves a schema with GraphQL over HTTP. @param log receives failures of running queries */
export const graphqlEndpoint = (schemaFor: SchemaFor, limits: QueryLimits, log: Logger): GraphQLEndpoint => {
  const check = checkedDocuments(schemaFor, limits);
  const suggestions = !limits.introspectionDisabled;
  return async (request, context, accept) => {
    const checkOne = (params: GraphQLParams): Promise<CheckedDocument> =>
      check(params).catch((error: unknown) => ({ kind: 'refused', ...failure(error) }));
    const run = async (params: GraphQLParams, checked: CheckedDocument): Promise<ExecutionResult> => {
      if (checked.kind === 'refused') return { errors: checked.errors };
      const refused = rejectedOperation(checked.document, params.operationName, request);
      return refused === null ? runOperation(checked, params, context) : { errors: [refused] };
    };
    const outcomes: string[] = [];
    const showing = { context, suggestions, log };
    const answerOne = async (params: GraphQLParams, checked: CheckedDocument): Promise<PresentedResult> => {
      const result = presentResult(await run(params, checked).catch(failure), showing);
      outcomes.push(outcomeOf(result, context.trace));
      return result;
    };
    const { params } = request;
    if (Array.isArray(params)) {
      // begun together, so that they are judged together
      const checked = await Promise.all(params.map(checkOne));
      const results = await Promise.all(params.map((one, at) => answerOne(one, checked[at]!)));
      return { ...response(batchStatus(results), results, accept), outcomes };
    }
    const result = await answerOne(params, await checkOne(params));
    return { ...response(httpStatus(result), result, accept), outcomes };
  };
};

/** Facets are kept out of the executor, and inserted when it has ended. */
const runOperation = async (
  { schema, document }: ValidDocument,
  { variables, operationName }: GraphQLParams,
  contextValue: RequestContext,
): Promise<ExecutionResult> => {
  contextValue.signal?.throwIfAborted();
  const deferred = new DeferredValues();
  const result = await execute({
    ...{ schema, document, contextValue, operationName },
    rootValue: deferred,
    variableValues: variables,
  });
  deferred.insertInto(result.data);
  return result;
};

/** Why the selected operation of a valid document may not be run this way; null if it may. */
const rejectedOperation = (
  document: DocumentNode,
  operationName: string | undefined,
  { method, simple, readOnly }: GraphQLRequest,
): GraphQLError | null => {
  const operation = getOperationAST(document, operationName)?.operation;
  switch (operation) {
    case OperationTypeNode.QUERY:
      return null;
    case OperationTypeNode.MUTATION:
      if (readOnly) return refusal('FORBIDDEN', 'a hub may query, and change nothing');
      if (method === 'GET') return refusal('METHOD_NOT_ALLOWED', 'a mutation must be sent by POST');
      // a page of any other site can send a form with the visitor's credentials and without a preflight (CSRF)
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
const failure = (error: unknown): { readonly errors: readonly GraphQLError[] } => {
  const cause = error instanceof Error ? error : new Error(String(error));
  return { errors: [new GraphQLError(cause.message, { originalError: cause })] };
};

const responseType = 'application/graphql-response+json';

const response = (
  status: number,
  body: PresentedResult | readonly PresentedResult[],
  accept: string,
): Omit<GraphQLAnswer, 'outcomes'> => {
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

/** A document that may be run, or the reason why it may not. */
export type CheckedDocument =
  | ValidDocument
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLError[] };

export interface ValidDocument {
  readonly kind: 'valid';
  readonly document: DocumentNode;
  readonly schema: GraphQLSchema;
}

/**
 * Cache limits: number of documents, total characters, characters of one; the least recently used are evicted first.
 * Parsed and planned, even a short document takes ten kilobytes.
 */
const maxDocuments = 1_000;
const maxCharacters = 1_000_000;
const maxCachedLength = 50_000;

/** The schema that a document runs on, which may be a subset of the whole. */
export type SchemaFor = (document: DocumentNode) => GraphQLSchema;

/**
 * Parses and validates documents against a schema and its limits. Repeated documents, as portals send them, are checked
 * once.
 */
export const checkedDocuments = (
  schemaFor: SchemaFor,
  limits: QueryLimits,
): ((operation: Operation) => Promise<CheckedDocument>) => {
  const rules = [...specifiedRules, ...limitRules(limits)];
  const cache = new LRUCache<string, CheckedDocument>({
    max: maxDocuments,
    maxSize: maxCharacters,
    maxEntrySize: maxCachedLength,
    sizeCalculation: (_document, query) => query.length,
  });
  return async (operation) => {
    const known = cache.get(operation.query);
    if (known !== undefined) return known;
    const checked = await check(operation, schemaFor, rules);
    cache.set(operation.query, checked);
    return checked;
  };
};

/** Each step takes some milliseconds for documents of more characters: it waits for its turn. */
const longDocument = 4_000;

const check = async (
  operation: Operation,
  schemaFor: SchemaFor,
  rules: readonly ValidationRule[],
): Promise<CheckedDocument> => {
  const isLong = operation.query.length > longDocument;
  if (isLong) await yieldToEventLoop();
  const parsed = documentOf(operation);
  if (parsed.kind === 'refused') {
    const { code, message, at } = parsed;
    return rejectDocument(code, [
      new GraphQLError(
        message,
        at === undefined ? {} : { source: new Source(operation.query), positions: [at] },
      ),
    ]);
  }
  if (isLong) await yieldToEventLoop();
  const { document } = parsed;
  const schema = schemaFor(document);
  const errors = validate(schema, document, rules);
  if (isLong) await yieldToEventLoop();
  return errors.length === 0
    ? { kind: 'valid', document, schema }
    : rejectDocument('GRAPHQL_VALIDATION_FAILED', errors);
};

type Refused = Extract<CheckedDocument, { kind: 'refused' }>;

const rejectDocument = (code: ErrorCode, errors: readonly GraphQLError[]): Refused => {
  for (const error of errors) error.extensions['code'] = code;
  return { kind: 'refused', errors };
};
