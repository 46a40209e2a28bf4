import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { hubOf, methodNotAllowed, type HttpContext } from '../koa/http-context.ts';
import { parseClientJson, readJsonOrForm, type BodyLimits } from '../koa/request-body.ts';
import { badUserInput, TributaryError } from '../../../lib/errors/errors.ts';
import { isJsonObject } from '../../../lib/json/json.ts';
import { fieldsIn, type Operation } from './parse-document.ts';

/** One GraphQL operation as a client sends it, checked but not parsed. */
export interface GraphQLParams extends Operation {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

export interface GraphQLRequest {
  readonly method: 'GET' | 'POST';
  /** One operation, or several when batching is on. */
  readonly params: GraphQLParams | GraphQLParams[];
  /** A CORS "simple" request, which any site can send without a preflight: never for mutations. */
  readonly simple: boolean;
  /** The request came through a tunnel: queries only. */
  readonly readOnly?: boolean;
}

const maxBatch = 10;

export interface RequestOptions {
  readonly body: BodyLimits;
  readonly batching: boolean;
  readonly persisted: PersistedQueries;
}

/**
 * Reads GraphQL over HTTP: `?query=` of a GET, JSON or a URL-encoded form of a POST; variables may also be JSON text. A
 * document that was sent with its hash can be referred to by the hash.
 * @throws TributaryError BAD_USER_INPUT, METHOD_NOT_ALLOWED, PERSISTED_QUERY_NOT_FOUND, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
 */
export const readGraphQLRequest = async (
  context: HttpContext,
  options: RequestOptions,
): Promise<GraphQLRequest> => {
  switch (context.method) {
    case 'GET':
    case 'HEAD':
      return {
        method: 'GET',
        params: await paramsOf(Object.fromEntries(context.URL.searchParams), options),
        simple: true,
      };
    case 'POST':
      return readPost(context, options);
    default:
      throw methodNotAllowed(context, 'GET', 'POST');
  }
};

const readPost = async (context: HttpContext, options: RequestOptions): Promise<GraphQLRequest> => {
  const sent = await readJsonOrForm(context, options.body);
  if (sent.kind === 'none') throw badUserInput('a body with content type application/json expected');
  const simple = sent.kind === 'form';
  const body = simple ? Object.fromEntries(sent.fields) : sent.value;
  const params = await (Array.isArray(body) ? batchOf(body, options) : paramsOf(body, options));
  return { method: 'POST', params, simple, readOnly: hubOf(context) !== undefined };
};

const batchOf = async (body: readonly unknown[], options: RequestOptions): Promise<GraphQLParams[]> => {
  if (!options.batching)
    throw badUserInput(
      'operation batching is disabled: send one operation as an object (ENABLE_GRAPHQL_BATCHING=true enables batching)',
    );
  if (body.length === 0 || body.length > maxBatch)
    throw badUserInput(`1 to ${maxBatch} operations in one request expected, ${body.length} found`);
  const operations: GraphQLParams[] = [];
  for (const one of body) operations.push(await paramsOf(one, options));
  return operations;
};

const paramsOf = async (body: unknown, { persisted }: RequestOptions): Promise<GraphQLParams> => {
  if (!isJsonObject(body)) throw badUserInput('an object with the key query expected');
  const { operationName } = body;
  const extensions = await valueOf(body['extensions'], 'extensions is a string but not valid JSON');
  const query = persisted.documentOf(body['query'], extensions);
  if (typeof query !== 'string' || query === '')
    throw badUserInput('query is missing: the text of a GraphQL document expected');
  if (operationName != null && typeof operationName !== 'string')
    throw badUserInput('operationName must be a string');
  const variables = await variablesOf(body['variables']);
  return {
    query,
    ...(variables === undefined ? {} : { variables }),
    ...(operationName ? { operationName } : {}),
  };
};

const variablesOf = async (sent: unknown): Promise<GraphQLParams['variables']> => {
  if (sent === undefined || sent === null || sent === '') return undefined;
  const value = await valueOf(sent, 'variables is a string but not valid JSON');
  if (value === null) return undefined;
  if (!isJsonObject(value)) throw badUserInput('variables must be an object');
  return value;
};

/** A value, or its JSON text. */
const valueOf = async (sent: unknown, problem: string): Promise<unknown> =>
  typeof sent === 'string' ? parseClientJson(sent, problem) : sent;

/** Documents that clients can refer to by hash instead of resending them. */
export interface PersistedQueries {
  /**
   * The document of a request: the one sent, which is stored if it comes with its hash, or the stored one.
   * @param query the document, absent or empty when only the hash was sent
   * @param extensions the request's `extensions`
   * @throws TributaryError PERSISTED_QUERY_NOT_FOUND when the hash is unknown, so that the client sends the document;
   *   BAD_USER_INPUT for a hash that does not match the document, or malformed extensions
   */
  readonly documentOf: (query: unknown, extensions: unknown) => unknown;
}

/** Total characters kept; least recently used documents are evicted first. */
const maxCharacters = 8_000_000;

/** Automatic persisted queries as in Apollo clients and servers: `extensions.persistedQuery`, version 1. */
export const openPersistedQueries = (): PersistedQueries => {
  const known = new LRUCache<string, string>({
    maxSize: maxCharacters,
    sizeCalculation: (text) => text.length,
  });
  return {
    documentOf: (query, extensions) => {
      const hash = hashIn(extensions);
      if (hash === null) return query;
      if (typeof query !== 'string' || query === '') return known.get(hash) ?? notFound();
      if (createHash('sha256').update(query).digest('hex') !== hash)
        throw badUserInput('sha256Hash is not the hash of the query sent with it');
      known.set(hash, query);
      return query;
    },
  };
};

/** Clients match this exact message. */
const notFound = (): never => {
  throw new TributaryError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
};

/** @throws TributaryError BAD_USER_INPUT */
const hashIn = (extensions: unknown): string | null => {
  const persisted = isJsonObject(extensions) ? extensions['persistedQuery'] : null;
  if (persisted === undefined || persisted === null) return null;
  const { version, sha256Hash } = isJsonObject(persisted) ? persisted : {};
  if (version === 1 && typeof sha256Hash === 'string' && /^[0-9a-f]{64}$/.test(sha256Hash)) return sha256Hash;
  throw badUserInput(
    'extensions.persistedQuery must be {"version": 1, "sha256Hash": 64 lowercase hex digits}',
  );
};

// A document that does not parse selects nothing and does not filter; it is refused later with the reason.

/** Whether a request reads the schema, at any level: a root field may return the root again. */
export const introspects = (request: GraphQLRequest): boolean => selects(request, ['__schema', '__type']);

/** Whether a request reads a description of the fields: the schema, or the configuration derived from it. */
export const describes = (request: GraphQLRequest): boolean =>
  selects(request, ['__schema', '__type', 'configs']);

/** Whether a request selects a root field of this name. */
export const selectsRoot = (request: GraphQLRequest, name: string): boolean =>
  anyOf(request, (one) => {
    const fields = contains(one.query, name) ? fieldsIn(one) : null;
    return fields?.roots.includes(name) === true;
  });

/** Whether any operation of a request filters. */
export const filters = (request: GraphQLRequest): boolean => anyOf(request, usesFilters);

const anyOf = ({ params }: GraphQLRequest, matches: (one: GraphQLParams) => boolean): boolean =>
  [params].flat().some(matches);

/** Whether a request selects one of these fields, at any level. */
const selects = (request: GraphQLRequest, names: readonly string[]): boolean =>
  anyOf(request, (one) => {
    const isNamed = names.some((name) => contains(one.query, name));
    const fields = isNamed ? fieldsIn(one) : null;
    return fields?.describing.some((name) => names.includes(name)) === true;
  });

/**
 * Names are made of word characters and cannot be escaped in GraphQL: a document without the word has no such field, and
 * need not be parsed.
 */
const contains = (query: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(query);

/**
 * Whether an operation filters: inline, through a variable of any name, or through a variable's default. `null` is no
 * filter.
 */
export const usesFilters = (operation: GraphQLParams): boolean => {
  const { variables = {} } = operation;
  if (variables['filters'] != null) return true;
  const fields = fieldsIn(operation);
  if (fields === null) return false;
  return fields.filters.some(
    (filter) =>
      filter === true || (filter in variables ? variables[filter] != null : fields.defaults.includes(filter)),
  );
};
