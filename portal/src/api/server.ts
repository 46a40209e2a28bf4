import { retryAfterMs, retrying } from '../../../src/lib/net/retry.ts';
import { openPatience } from './busy.ts';
import { bearer, endSession, renewed } from './session.ts';

/** The address of the API: next to the page, whatever prefix a proxy adds, or as set in a static build. Set once. */
let base = new URL('http://localhost/');

/** Sets the base address of the API, before the first request. */
export const setBase = (url: URL): void => {
  base = url;
};

/** The absolute address of a path below the API. */
export const addressOf = (path: string): string => new URL(path, base).href;

/** What a failed request means to users. */
export type FailureKind =
  | 'offline'
  | 'signIn'
  | 'forbidden'
  | 'tooMuch'
  | 'tooCostly'
  | 'input'
  | 'unavailable'
  | 'server';

/** A failed request: its kind, which selects texts and actions, and the reason in words. */
export class ApiError extends Error {
  readonly kind: FailureKind;
  /** How many times the work that the server allows; null: it is not about that, or the server does not tell. */
  readonly excess: number | null;
  constructor(kind: FailureKind, message: string, excess: number | null = null) {
    super(message);
    this.kind = kind;
    this.excess = excess;
  }
}

/**
 * GETs or POSTs below the API, with the token of the signed-in user. Sent again, up to three times, to a server that is
 * too busy; what is left meanwhile is not.
 * @throws ApiError, or the signal's reason
 */
export const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const patience = openPatience();
  const send = async (): Promise<Response> => {
    const response = await authorized(path, init);
    if (waitAfter(response) !== null) patience.refused();
    return response;
  };
  try {
    const { outcome: response } = await retrying(send, {
      attempts: 4,
      delays: { firstMs: 0, maxMs: 0 },
      isTransient: (answer) => waitAfter(answer) !== null,
      retryAfterMs: (answer) => waitAfter(answer)! + Math.random() * spreadMs,
      budget: null,
      signal: init.signal ?? undefined,
    });
    init.signal?.throwIfAborted();
    if (!response.ok) throw await failureOf(response);
    return response;
  } finally {
    patience.ended();
  }
};

/** Pages that were turned away together do not return together. */
const spreadMs = 500;
const defaultWaitMs = 1_000;
/** Nobody waits longer before a page: its visitor decides when to try again. */
const maxWaitMs = 30_000;

/** The wait before a request is sent again; null: the server is not too busy for it, or for too long. */
const waitAfter = ({ status, headers }: Response): number | null => {
  if (status !== 429 && status !== 503) return null;
  const waitMs = retryAfterMs(headers.get('retry-after')) ?? defaultWaitMs;
  return waitMs > maxWaitMs ? null : waitMs;
};

const authorized = async (path: string, init: RequestInit): Promise<Response> => {
  const known = bearer();
  // a token that is already known is used without waiting, so the request is sent before the next rendering
  const token = known instanceof Promise ? await known : known;
  const response = await fetchWith(path, init, token);
  if (response.status !== 401 || token === null) return response;
  const next = await renewed(token);
  if (next !== null) return fetchWith(path, init, next);
  endSession(token);
  return response;
};

const fetchWith = async (path: string, init: RequestInit, token: string | null): Promise<Response> => {
  const headers = new Headers(init.headers);
  if (!headers.has('accept')) headers.set('accept', 'application/json');
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  try {
    return await fetch(addressOf(path), { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError('offline', String(error));
  }
};

/** Reads an answer that has begun. @throws ApiError when the connection breaks, where browsers throw a TypeError */
export const reading = async <T>(read: Promise<T>, signal?: AbortSignal | null): Promise<T> => {
  try {
    return await read;
  } catch (error) {
    if (signal?.aborted === true || !(error instanceof TypeError)) throw error;
    throw new ApiError('offline', String(error));
  }
};

/** Gets JSON, unchecked, from a path below the API. @throws ApiError */
export const getJson = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  (await reading((await request(path, { signal: signal ?? null })).json(), signal)) as T;

/** One GraphQL operation. @throws ApiError with the first error where there is no data to show */
export const query = async <T>(
  path: string,
  document: string,
  variables: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<T> => {
  return dataOf(await send<T>(path, document, variables, signal));
};

/** Sends one GraphQL operation: its whole answer. @throws ApiError */
export const send = async <T>(
  path: string,
  document: string,
  variables: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<GraphQLBody<T>> => {
  const response = await request(`${path}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: document, variables }),
    signal: signal ?? null,
  });
  return (await reading(response.json(), signal)) as GraphQLBody<T>;
};

/**
 * The data of an answer; facets that could not be computed have their `reason` in it.
 * @throws ApiError with the first other error
 */
export const dataOf = <T>({ data, errors = [] }: GraphQLBody<T>): T => {
  const error = errors.find((one) => !isReasonOf(data, one));
  if (error !== undefined)
    throw apiError(error.message, kindOfCode(error.extensions?.code), error.extensions?.details);
  if (!data) throw new ApiError('server', 'no data');
  return data;
};

/** An answer's fields about the nodes of a network, as far as selected. */
export interface NetworkPart {
  readonly partial?: boolean | null;
  readonly nodes?:
    | readonly { readonly nodeId?: string; readonly state?: string; readonly took?: number | null }[]
    | null;
}

export interface GraphQLBody<T> {
  readonly data?: T | null;
  readonly errors?: readonly GraphQLFailure[];
  readonly extensions?: { readonly network?: NetworkPart; readonly warnings?: readonly string[] };
}

interface GraphQLFailure {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly details?: Details };
}

/** What an error says for programs; of a query that would cost too much, how much that is. */
type Details = Readonly<Record<string, unknown>>;

const apiError = (message: string, kind: FailureKind, { cost, maxCost }: Details = {}): ApiError =>
  typeof cost === 'number' && typeof maxCost === 'number'
    ? new ApiError('tooCostly', message, cost / maxCost)
    : new ApiError(kind, message);

/** Why a facet could not be computed. */
export const facetError = ({ reason = '', details }: FacetFailure): ApiError =>
  apiError(reason, 'input', details);

/** What a facet has if it could not be computed. */
export interface FacetFailure {
  readonly reason?: string;
  readonly details?: Details | undefined;
}

type Facets = Record<string, object | null>;

/** Whether an error belongs to one facet, which then gets its message as the reason. */
const isReasonOf = <T>(
  data: T | null | undefined,
  { message, path = [], extensions }: GraphQLFailure,
): boolean => {
  const [root = '', part, facet] = path;
  const facets = (data as Record<string, { aggregations?: Facets | null } | null> | null | undefined)?.[root]
    ?.aggregations;
  if (part !== 'aggregations' || typeof facet !== 'string' || !facets) return false;
  const details = extensions?.details;
  facets[facet] = { ...facets[facet], reason: message, ...(details && { details }) };
  return true;
};

const kindOfCode = (code = ''): FailureKind => {
  if (code === 'UNAUTHENTICATED') return 'signIn';
  if (code === 'FORBIDDEN') return 'forbidden';
  if (code.includes('UNAVAILABLE') || code.includes('TIMEOUT')) return 'unavailable';
  if (code.includes('TOO_MANY') || code.includes('COST')) return 'tooMuch';
  return code === 'BAD_USER_INPUT' || code === 'GRAPHQL_VALIDATION_FAILED' ? 'input' : 'server';
};

const kindOfStatus = (status: number): FailureKind => {
  if (status === 401) return 'signIn';
  if (status === 403) return 'forbidden';
  if (status === 429) return 'tooMuch';
  if (status === 502 || status === 503 || status === 504) return 'unavailable';
  return status < 500 ? 'input' : 'server';
};

const failureOf = async (response: Response): Promise<ApiError> => {
  const { status, statusText } = response;
  const text = await response.text();
  try {
    const { error, errors = [] } = JSON.parse(text) as FailureBody;
    const { message, details } = typeof error === 'string' ? { message: error } : (error ?? partsIn(errors));
    return apiError(message ?? `${status}`, kindOfStatus(status), details);
  } catch {
    return new ApiError(kindOfStatus(status), `${status} ${statusText}`);
  }
};

interface FailureBody {
  readonly error?: FailureParts | string;
  readonly errors?: readonly GraphQLFailure[];
}

interface FailureParts {
  readonly message?: string | undefined;
  readonly details?: Details | undefined;
}

const partsIn = ([first]: readonly GraphQLFailure[]): FailureParts => ({
  message: first?.message,
  details: first?.extensions?.details,
});

/** Selected fields of a schema type that are, by contract, never null. */
export type Sure<Type, Name extends keyof Type> = { readonly [Each in Name]: NonNullable<Type[Each]> };

/** Selected fields of a type that may be null. */
export type Nullable<Type, Name extends keyof Type> = { readonly [Each in Name]: Type[Each] };

/** Fields that only some queries select, or only some servers support. */
export type Perhaps<Type, Name extends keyof Type> = { readonly [Each in Name]?: Type[Each] };
