import { connectionReason } from '../../net/connection-reason.ts';
import { TributaryError, type ErrorCode } from '../../errors/errors.ts';
import { isJsonObject } from '../../json/json.ts';
import { isLargeJson, parseJson } from '../../json/large/parse-json.ts';
import { parseJsonNow, type JsonReduction } from '../../json/large/read-json.ts';
import { retryAfterMs } from '../../net/retry-after.ts';
import type { HttpAnswer, NodeConnection } from './http-client.ts';
import { rateLimited, unavailable } from './requested-wait.ts';

/** One GraphQL request to one node. */
export interface GraphqlRequest {
  /** As returned by graphqlBody. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The caller retries by itself: a request lost with its connection is not sent again here. */
  readonly once?: boolean;
}

/** A document and its variables in the form of GraphQL over HTTP. */
export const graphqlBody = (query: string, variables: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ query, variables });

/** A node's answer, still untrusted. */
export interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlAnswerError[];
  readonly extensions?: unknown;
  /** The fingerprint of what can be queried there, from the header Tributary-Schema; unset: not reported. */
  readonly schema?: string;
}

export interface GraphqlAnswerError {
  readonly message?: unknown;
  readonly path?: unknown;
  readonly extensions?: Record<string, unknown>;
}

/**
 * Sends one query. A GraphQL response, errors included, is returned; anything else is thrown.
 * @throws TributaryError NODE_TIMEOUT, NODE_UNREACHABLE, NODE_REFUSED, NODE_BAD_RESPONSE, TOO_MANY_REQUESTS with a
 *   reason safe to show
 */
export const sendGraphql = async (
  node: NodeConnection,
  { body, headers, signal, once = false }: GraphqlRequest,
): Promise<GraphqlAnswer> => {
  const request = {
    // when plain JSON is requested, every server sends GraphQL errors with HTTP 200 or 400
    headers: { 'content-type': 'application/json', ...headers, accept: 'application/json' },
    body,
    signal,
    maxBytes: node.maxResponseBytes,
    isRead: isReadStatus,
  };
  try {
    return await readGraphql(await node.post(request, !once));
  } catch (error) {
    throw error instanceof TributaryError ? error : transportFailure(error, signal);
  }
};

/** Documents and introspection stay far below this. */
const maxLevels = 100;

/** The statuses that carry GraphQL errors. */
export const isReadStatus = (status: number): boolean => status === 200 || status === 400;

/**
 * A node's response, if it is GraphQL: at once, but for a large one.
 * @param reduction applied to the answer, off the event loop when it is large
 * @throws TributaryError with a reason safe to show
 */
export const readGraphql = (
  { status, headers, body }: HttpAnswer,
  reduction?: JsonReduction,
): GraphqlAnswer | Promise<GraphqlAnswer> => {
  const waitMs = (): number | null => retryAfterMs(headerText(headers['retry-after']));
  if (status === 429) throw rateLimited(waitMs());
  if (status === 503) throw unavailable(status, waitMs());
  if (body === null) throw statusFailure(status);
  const schema = headerText(headers['tributary-schema']);
  const checked = (answer: unknown): GraphqlAnswer => {
    if (!isGraphql(answer)) throw failed('NODE_BAD_RESPONSE', 'the answer is not GraphQL');
    return schema === null ? answer : { ...answer, schema };
  };
  if (reduction !== undefined || isLargeJson(body))
    return parseJson(body, { maxLevels, ...(reduction && { reduction }) })
      .catch(notJson)
      .then(checked);
  return checked(parsedNow(body));
};

const headerText = (value: string | string[] | undefined): string | null =>
  value === undefined ? null : String(value);

const parsedNow = (body: Buffer): unknown => {
  try {
    return parseJsonNow(body, { maxLevels });
  } catch (error) {
    return notJson(error);
  }
};

/** @throws TributaryError always */
const notJson = (error: unknown): never => {
  if (error instanceof TributaryError) throw error;
  if (error instanceof RangeError) throw failed('NODE_BAD_RESPONSE', `the answer is ${error.message}`, error);
  throw failed('NODE_BAD_RESPONSE', 'the answer is not GraphQL', error);
};

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

/** A failure below GraphQL: only reasons from our own list are shown, never the system's text. */
export const transportFailure = (error: unknown, signal: AbortSignal): TributaryError => {
  if (signal.aborted) return failed('NODE_TIMEOUT', 'did not answer in time', error);
  return failed('NODE_UNREACHABLE', connectionReason(error), error);
};

const failed = (code: ErrorCode, reason: string, cause?: unknown): TributaryError =>
  new TributaryError(code, reason, { cause });
