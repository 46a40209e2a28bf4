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
export type FailureKind = 'offline' | 'signIn' | 'forbidden' | 'tooMuch' | 'input' | 'unavailable' | 'server';

/** A failed request: its kind, which selects texts and actions, and the reason in words. */
export class ApiError extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** GETs or POSTs below the API, with the token of the signed-in user. @throws ApiError */
export const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const known = bearer();
  // a token that is already known is used without waiting, so the request is sent before the next rendering
  const token = known instanceof Promise ? await known : known;
  let response = await fetchWith(path, init, token);
  if (response.status === 401 && token !== null) {
    const next = await renewed(token);
    if (next === null) endSession(token);
    else response = await fetchWith(path, init, next);
  }
  if (!response.ok) throw new ApiError(kindOfStatus(response.status), await messageOf(response));
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
  if (error !== undefined) throw new ApiError(kindOfCode(error.extensions?.code), error.message);
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
  readonly extensions?: { readonly network?: NetworkPart };
}

interface GraphQLFailure {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string };
}

type Facets = Record<string, object | null>;

/** Whether an error belongs to one facet, which then gets its message as the reason. */
const isReasonOf = <T>(data: T | null | undefined, { message, path = [] }: GraphQLFailure): boolean => {
  const [root = '', part, facet] = path;
  const facets = (data as Record<string, { aggregations?: Facets | null } | null> | null | undefined)?.[root]
    ?.aggregations;
  if (part !== 'aggregations' || typeof facet !== 'string' || !facets) return false;
  facets[facet] = { ...facets[facet], reason: message };
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

const messageOf = async (response: Response): Promise<string> => {
  const text = await response.text();
  try {
    const body = JSON.parse(text) as {
      error?: { message?: string } | string;
      errors?: { message: string }[];
    };
    if (typeof body.error === 'string') return body.error;
    return body.error?.message ?? body.errors?.[0]?.message ?? `${response.status}`;
  } catch {
    return `${response.status} ${response.statusText}`;
  }
};

/** Selected fields of a schema type that are, by contract, never null. */
export type Sure<Type, Name extends keyof Type> = { readonly [Each in Name]: NonNullable<Type[Each]> };

/** Selected fields of a type that may be null. */
export type Nullable<Type, Name extends keyof Type> = { readonly [Each in Name]: Type[Each] };

/** Fields that only some queries select, or only some servers support. */
export type Perhaps<Type, Name extends keyof Type> = { readonly [Each in Name]?: Type[Each] };
