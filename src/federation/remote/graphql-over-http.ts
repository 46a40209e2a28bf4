import { connectionReason } from '../../net/connection-reason.ts';
import { TributaryError, asTributaryError, type ErrorCode } from '../../errors/errors.ts';
import { isJsonObject } from '../../json/json.ts';
import { readJson } from '../../json/read-json.ts';
import type { HeldMemory } from '../../runtime/memory-account.ts';
import { retryAfterMs, retryingErrors, type RetryBudget } from '../../net/retry.ts';
import type { HttpAnswer, NodeConnection } from './http-client.ts';
import { RequestCoalescer } from '../../net/request-coalescer.ts';
import { callerHeader, deadlineHeader } from './node-statements.ts';

/** One GraphQL request to one node. */
export interface GraphqlRequest {
  /** As returned by graphqlBody. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly memory?: Pick<HeldMemory, 'add'> | undefined;
  /** The caller retries by itself: a request lost with its connection is not resent here. */
  readonly once?: boolean;
  /** Integers above 2^53 in the answer are returned as strings of digits; unset: numbers. */
  readonly exact?: boolean;
}

/** Sends a request to one node. */
export type SendGraphql = (request: GraphqlRequest) => Promise<GraphqlAnswer>;

/** A document and its variables in the form of GraphQL over HTTP. */
export const graphqlBody = (query: string, variables: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ query, variables });

/** A node's answer, still untrusted. */
export interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlAnswerError[];
  readonly extensions?: unknown;
  /** The fingerprint of the node's queryable schema, from the header Tributary-Schema; unset: not reported. */
  readonly schema?: string;
}

export interface GraphqlAnswerError {
  readonly message?: unknown;
  readonly path?: unknown;
  readonly extensions?: Record<string, unknown>;
}

/**
 * Sends one query. A GraphQL response, errors included, is returned; anything else is thrown.
 * @throws TributaryError NODE_TIMEOUT, NODE_UNREACHABLE, NODE_REFUSED, NODE_BAD_RESPONSE, TOO_MANY_REQUESTS, NOT_READY
 *   with a reason safe to show
 */
export const sendGraphql = async (
  node: NodeConnection,
  { body, headers, signal, memory, once = false, exact = false }: GraphqlRequest,
): Promise<GraphqlAnswer> => {
  const request = {
    // when plain JSON is requested, every server sends GraphQL errors with HTTP 200 or 400
    headers: { 'content-type': 'application/json', ...headers, accept: 'application/json' },
    body,
    signal,
    memory,
    maxBytes: node.maxResponseBytes,
    isRead: isReadStatus,
  };
  try {
    return readGraphql(await node.post(request, !once), exact);
  } catch (error) {
    throw error instanceof TributaryError ? error : transportFailure(error, signal);
  }
};

/** Documents and introspection stay far below this. */
const maxLevels = 100;

/** The statuses that carry GraphQL errors. */
const isReadStatus = (status: number): boolean => status === 200 || status === 400;

/**
 * Reads a node's response, if it is GraphQL.
 * @throws TributaryError with a reason safe to show
 */
const readGraphql = ({ status, headers, body }: HttpAnswer, exact: boolean): GraphqlAnswer => {
  const waitMs = (): number | null => retryAfterMs(headerText(headers['retry-after']));
  if (status === 429) throw rateLimited(waitMs());
  // 404: a catalogue that failed there, and is checked again
  if (status === 503 || (status === 404 && waitMs() !== null)) throw unavailable(status, waitMs());
  if (body === null) throw statusFailure(status);
  const answer = parsed(body, headers['content-type'], exact);
  if (!isGraphql(answer)) throw notGraphql(headers['content-type']);
  const schema = headerText(headers['tributary-schema']);
  return schema === null ? answer : { ...answer, schema };
};

const parsed = (body: Uint8Array, contentType: string | undefined, exact: boolean): unknown => {
  try {
    return readJson(body, { maxLevels, exact });
  } catch (error) {
    throw error instanceof RangeError
      ? failed('NODE_BAD_RESPONSE', `the answer is ${error.message}`, error)
      : notGraphql(contentType);
  }
};

/** Names the content type of an answer that is not JSON, if it has a valid form; anything else is not echoed. */
const notGraphql = (type: string | undefined): TributaryError => {
  if (type === undefined || /^\s*application\/(graphql-response\+)?json\s*(;|$)/i.test(type))
    return failed('NODE_BAD_RESPONSE', 'the answer is not GraphQL');
  const [known] = /^[a-z]{1,20}\/[\w.+-]{1,60}(?=\s*(;|$))/i.exec(type) ?? ['another content type'];
  return failed('NODE_BAD_RESPONSE', `the answer is ${known}, not JSON`);
};

const headerText = (value: string | string[] | undefined): string | null =>
  value === undefined ? null : String(value);

/** An object with data, or with a list of errors. */
const isGraphql = (answer: unknown): answer is GraphqlAnswer => {
  if (!isJsonObject(answer)) return false;
  const errors: unknown = answer['errors'] ?? [];
  if (!Array.isArray(errors) || !errors.every(isJsonObject)) return false;
  return answer['data'] != null || errors.length > 0;
};

const statusFailure = (status: number): TributaryError => {
  if (status === 0 || (status >= 300 && status < 400))
    return failed('NODE_BAD_RESPONSE', `redirects are not followed (HTTP ${status})`);
  if (status >= 500) return failed('NODE_UNREACHABLE', `answered HTTP ${status}`);
  if (status === 401 || status === 403)
    return failed('NODE_REFUSED', `needs a credential, or another one (HTTP ${status})`);
  if (status >= 400) return failed('NODE_REFUSED', `refused the request (HTTP ${status})`);
  return failed('NODE_BAD_RESPONSE', `answered HTTP ${status}`);
};

/** A failure below GraphQL: only reasons from our own list are shown, never the system's message. */
export const transportFailure = (error: unknown, signal: AbortSignal): TributaryError => {
  if (signal.aborted) return failed('NODE_TIMEOUT', 'timed out', error);
  return failed('NODE_UNREACHABLE', connectionReason(error), error);
};

const failed = (code: ErrorCode, reason: string, cause?: unknown): TributaryError =>
  new TributaryError(code, reason, { cause });

/** Longer waits are only reported as longer than this. */
const maxWaitSeconds = 3_600;
/** The minimum time left for an answer after a wait. */
const minAnswerMs = 100;

/**
 * The error for a node that is too busy for this caller: it was reached and is healthy.
 * @param waitMs the requested wait; null if none was requested
 * @returns TributaryError TOO_MANY_REQUESTS with a reason safe to show
 */
export const rateLimited = (waitMs: number | null): TributaryError => {
  if (waitMs === null) return new TributaryError('TOO_MANY_REQUESTS', 'rate-limited');
  const { retryAfterSeconds, text } = shownWait(waitMs);
  return new TributaryError('TOO_MANY_REQUESTS', `rate-limited: retry after ${text}`, {
    details: { retryAfterSeconds },
  });
};

/**
 * The error for a node that has no time, or is not ready: one that says for how long is there.
 * @param waitMs the requested wait; null if none was requested
 * @returns TributaryError NOT_READY or NODE_UNREACHABLE with a reason safe to show
 */
const unavailable = (status: number, waitMs: number | null): TributaryError => {
  if (waitMs === null) return new TributaryError('NODE_UNREACHABLE', `answered HTTP ${status}`);
  const { retryAfterSeconds, text } = shownWait(waitMs);
  const details = { retryAfterSeconds };
  return status === 503
    ? new TributaryError('NOT_READY', `busy or not ready: retry after ${text}`, { details })
    : new TributaryError('NODE_UNREACHABLE', `answered HTTP ${status}: retry after ${text}`, { details });
};

const shownWait = (waitMs: number): { readonly retryAfterSeconds: number; readonly text: string } => {
  const seconds = Math.ceil(waitMs / 1000);
  const retryAfterSeconds = Math.min(seconds, maxWaitSeconds);
  return {
    retryAfterSeconds,
    text: `${seconds > maxWaitSeconds ? 'more than ' : ''}${retryAfterSeconds} s`,
  };
};

/** The wait that a node requested with an error, in seconds; null for other errors, or if none was requested. */
export const secondsToWait = (error: unknown): number | null => {
  const { code, details } = asTributaryError(error);
  const seconds = details?.['retryAfterSeconds'];
  return waitingCodes.has(code) && typeof seconds === 'number' ? seconds : null;
};

const waitingCodes: ReadonlySet<ErrorCode> = new Set(['TOO_MANY_REQUESTS', 'NOT_READY', 'NODE_UNREACHABLE']);

/** The wait before a node that is too busy and requests none is queried again. */
const defaultWaitMs = 1_000;
/** A random part of this is added to a wait, so that hubs turned away together do not return together. */
const spreadMs = 500;

/**
 * Retries up to three times, each after the wait that a node requested, if that leaves it time to answer.
 * @param untilMs the deadline for the answer, on the performance.now() clock
 * @param budget the node's retry budget
 * @throws what `send` throws: the node's own refusal if the wait does not fit or its caller aborted it
 */
export const retryAfterWait = <T>(
  send: () => Promise<T>,
  untilMs: number,
  signal: AbortSignal | undefined,
  budget: RetryBudget,
): Promise<T> =>
  retryingErrors(send, {
    attempts: 4,
    delays: { firstMs: 0, maxMs: 0 },
    isTransient: (error) => waitAfter(error) !== null,
    retryAfterMs: waitAfter,
    budget,
    deadlineMs: untilMs - minAnswerMs,
    signal,
  });

/** 503 without a wait is mostly a node that is down, where every query would only take longer. */
const waitAfter = (error: unknown): number | null => {
  const seconds = secondsToWait(error);
  if (seconds !== null) return 1_000 * seconds + spreadOf(error);
  return asTributaryError(error).code === 'TOO_MANY_REQUESTS' ? defaultWaitMs + spreadOf(error) : null;
};

/** By the error that the callers of a shared request get: they wait alike, and so share the next request too. */
const spreads = new WeakMap<object, number>();

const spreadOf = (error: unknown): number => {
  const key = asTributaryError(error);
  const spread = spreads.get(key) ?? Math.random() * spreadMs;
  spreads.set(key, spread);
  return spread;
};

/**
 * Coalesces concurrent equal requests to one node: the same body, and the same headers except those that only name the
 * request or its caller; for nodes of this software, only times that differ by less than a factor of two, as it answers within the first one's.
 * The request is aborted when its last waiter leaves.
 */
export const coalesced = (send: SendGraphql): SendGraphql => {
  const calls = new RequestCoalescer<GraphqlAnswer>();
  return (request) =>
    calls.share(
      decidingHeaders(request.headers) + request.body,
      request.signal,
      (signal, answered) => send({ ...request, signal }).then(answered),
      tooLate,
      (answer) => answer,
    );
};

/** They name or trace a request or its caller; every other header may carry rights, and so affects the answer. */
const namingHeaders = new Set(['x-request-id', 'traceparent', 'tracestate', callerHeader]);

const decidingHeaders = (headers: GraphqlRequest['headers']): string => {
  const deciding = Object.entries(headers).filter(([name]) => !namingHeaders.has(name.toLowerCase()));
  const grouped = deciding.map(([name, value]) => [
    name,
    name === deadlineHeader ? Math.floor(Math.log2(Number(value))) : value,
  ]);
  return JSON.stringify(grouped.sort());
};

/** @param reason the abort reason, which for a deadline is its description */
const tooLate = (reason: unknown): TributaryError =>
  reason instanceof TributaryError
    ? reason
    : new TributaryError('NODE_TIMEOUT', 'timed out', { cause: reason });
