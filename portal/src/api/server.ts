import { bearer, endSession, renewed } from './session.ts';

/** Where the API is: beside the page, whatever a proxy puts before it, or where a static build says. Set once. */
let base = new URL('http://localhost/');

/** Sets the base address of the API, before the first request. */
export const setBase = (url: URL): void => {
  base = url;
};

/** The absolute address of a path below the API. */
export const addressOf = (path: string): string => new URL(path, base).href;

/** What a failed request means to people. */
export type FailureKind = 'offline' | 'signIn' | 'forbidden' | 'tooMuch' | 'input' | 'unavailable' | 'server';

/** A failed request: its kind, for texts and what to offer, and the reason in words. */
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
  // what need not be awaited is sent before the page is drawn anew
  const token = known instanceof Promise ? await known : known;
  let response = await send(path, init, token);
  if (response.status === 401 && token !== null) {
    const next = await renewed(token);
    if (next === null) endSession(token);
    else response = await send(path, init, next);
  }
  if (!response.ok) throw new ApiError(kindOfStatus(response.status), await messageOf(response));
  return response;
};

const send = async (path: string, init: RequestInit, token: string | null): Promise<Response> => {
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

/** Gets JSON, unchecked, from a path below the API. @throws ApiError */
export const getJson = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  (await (await request(path, { signal: signal ?? null })).json()) as T;

/** One GraphQL operation. @throws ApiError with the first error where there is no data to show */
export const query = async <T>(
  path: string,
  document: string,
  variables: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<T> => {
  const response = await request(`${path}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: document, variables }),
    signal: signal ?? null,
  });
  return dataOf((await response.json()) as GraphQLBody<T>);
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

export interface GraphQLBody<T> {
  readonly data?: T | null;
  readonly errors?: readonly GraphQLFailure[];
}

interface GraphQLFailure {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string };
}

type Facets = Record<string, object | null>;

/** Whether an error is that of one facet, which then gets its message as the reason. */
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

/** What was selected of a type of the schema and, by contract, is never null. */
export type Sure<Type, Name extends keyof Type> = { readonly [Each in Name]: NonNullable<Type[Each]> };

/** What was selected of a type and may be null. */
export type Nullable<Type, Name extends keyof Type> = { readonly [Each in Name]: Type[Each] };

/** What only some queries select, or only some servers support. */
export type Perhaps<Type, Name extends keyof Type> = { readonly [Each in Name]?: Type[Each] };

/** Partial numbers appear only after this delay: most queries finish sooner. */
const patienceMs = 700;
/** Between partial numbers: each is read and drawn whole, while the last nodes' answers wait. */
const paceMs = 250;

/**
 * One GraphQL operation of a network, read as its nodes answer.
 * @param grown called with the data of an answer that lacks nodes which may still answer
 * @throws ApiError with the first error where there is no data to show
 */
export const growingQuery = async <T>(
  path: string,
  document: string,
  variables: Readonly<Record<string, unknown>>,
  grown: (data: T) => void,
  signal?: AbortSignal,
): Promise<T> => {
  let nextMs = performance.now() + patienceMs;
  let showing: ReturnType<typeof setTimeout> | undefined;
  try {
    const response = await request(`${path}/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: document, variables }),
      signal: signal ?? null,
    });
    for await (const { event, data } of eventsIn(response)) {
      if (event === 'done') return dataOf(JSON.parse(data) as GraphQLBody<T>);
      clearTimeout(showing);
      const show = (): void => {
        nextMs = performance.now() + paceMs;
        const { data: now } = JSON.parse(data) as GraphQLBody<T>;
        if (now) grown(now);
      };
      showing = setTimeout(show, Math.max(0, nextMs - performance.now()));
    }
    throw new ApiError('offline', 'the answer ended early');
  } catch (error) {
    // a server before this one answers once
    if (error instanceof ApiError && error.kind === 'input') return query(path, document, variables, signal);
    throw error;
  } finally {
    clearTimeout(showing);
  }
};

interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Server-sent events, as far as this server writes them: a name, and one line of data. */
const eventsIn = async function* (response: Response): AsyncGenerator<ServerEvent> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const parts = (text + part.value).split('\n\n');
    text = parts.pop() ?? '';
    for (const one of parts) {
      const [, event, data] = /^event: (\w+)\ndata: ([^\n]*)$/.exec(one) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data };
    }
  }
};
