import { objectIn, objectsIn, isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import { TributaryError, type ErrorCode } from '../../../lib/errors/errors.ts';
import { retryAfterMs } from '../../../lib/net/retry.ts';
import { maxAnswerBytes } from './nodes.ts';
import type { ClusterAnswer, NoAnswer } from './transport.ts';

/** A failure as reported by a server: its types and reasons, the innermost last. */
export interface ServerFailure {
  readonly types: readonly string[];
  readonly reason: string;
}

/** The failure in the `error` of a response or of a search. */
export const serverFailure = (error: unknown): ServerFailure => {
  if (!isJsonObject(error)) return { types: [], reason: typeof error === 'string' ? error : '' };
  const chain = causes(error);
  const reasons = chain.flatMap(({ reason }) =>
    typeof reason === 'string' && reason !== '' ? [reason] : [],
  );
  return {
    types: chain.flatMap(({ type }) => (typeof type === 'string' ? [type] : [])),
    reason: [...new Set(reasons)].filter((reason) => reason !== 'all shards failed').join(': '),
  };
};

const causes = (error: JsonObject): readonly JsonObject[] => {
  const roots = [
    ...objectsIn(error, 'root_cause'),
    ...objectsIn(error, 'failed_shards').map((shard) => objectIn(shard, 'reason')),
  ];
  const inner = isJsonObject(error['caused_by']) ? [error['caused_by']] : [];
  return [error, ...[...roots.slice(0, 1), ...inner].flatMap(causes)];
};

/** Whether the server refused to return that many buckets in one response. */
export const hasTooManyBuckets = (answer: JsonObject): boolean =>
  isTooManyBuckets(serverFailure(answer['error']));

const isTooManyBuckets = ({ types }: ServerFailure): boolean =>
  types.some((type) => type === 'too_many_buckets_exception' || type === 'too_many_buckets');

/** Whether the server was too busy but may succeed later. */
export const isOverload = (status: number, failure: ServerFailure): boolean =>
  (status === 429 || status === 502 || status === 503) && !isTooManyBuckets(failure);

/**
 * The error of a response with status 400 or above, or of one search in a response.
 * @param waitMs the wait that the server requests; null without one
 */
export const failureOf = (
  status: number,
  error: unknown,
  what: string,
  waitMs: number | null = null,
): TributaryError => {
  const failure = serverFailure(error);
  const reason = failure.reason === '' ? '' : `: ${shortened(failure.reason)}`;
  const code = codeOf(status, failure);
  return new TributaryError(code, `${meanings[code] ?? 'the search server failed'} ${what}${reason}`, {
    cause: new Error(`status ${status}, ${failure.types.join(', ')}`),
    ...(waitMs !== null && { details: { retryAfterSeconds: Math.ceil(waitMs / 1000) } }),
  });
};

const codeOf = (status: number, failure: ServerFailure): ErrorCode => {
  if (failure.types.includes('index_not_found_exception')) return 'index_not_found';
  if (failure.types.includes('resource_already_exists_exception')) return 'CONFLICT';
  if (status === 401 || status === 403) return 'permission_denied';
  if (isTooManyBuckets(failure) || status === 400) return 'BAD_USER_INPUT';
  if (isOverload(status, failure)) return 'ENGINE_UNAVAILABLE';
  if (status === 413) return 'PAYLOAD_TOO_LARGE';
  if (status === 408 || status === 504) return 'ENGINE_TIMEOUT';
  return 'ENGINE_ERROR';
};

const meanings: Partial<Record<ErrorCode, string>> = {
  index_not_found: 'the search server has no index for',
  CONFLICT: 'the search server reports a conflict in',
  permission_denied: 'the search server does not permit',
  BAD_USER_INPUT: 'the search server refused',
  PAYLOAD_TOO_LARGE: 'the request is too large for the search server:',
  ENGINE_UNAVAILABLE: 'the search server is too busy for',
  ENGINE_TIMEOUT: 'the search server took too long for',
  ENGINE_ERROR: 'the search server failed at',
};

const maxReasonLength = 300;

const shortened = (reason: string): string =>
  reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength)}...` : reason;

/** The body of a successful response. @throws TributaryError, with the wait that the server requests, if any */
export const succeeded = ({ status, body, retryAfter }: ClusterAnswer, what: string): JsonObject => {
  if (status >= 400)
    throw failureOf(status, isJsonObject(body) ? body['error'] : undefined, what, retryAfterMs(retryAfter));
  if (isJsonObject(body)) return body;
  throw new TributaryError('ENGINE_ERROR', `the search server's answer to ${what} is not a JSON object`);
};

/** The error when there was no response. */
export const noAnswerError = ({ reason, cause }: NoAnswer, what: string): TributaryError => {
  const [code, message] = withoutAnswer[reason];
  return new TributaryError(code, message(what), { cause });
};

const withoutAnswer: Readonly<
  Record<NoAnswer['reason'], readonly [code: ErrorCode, message: (what: string) => string]>
> = {
  timeout: ['ENGINE_TIMEOUT', (what) => `the search server gave no answer in time to ${what}`],
  connection: ['ENGINE_UNAVAILABLE', (what) => `the search server could not be reached for ${what}`],
  certificate: [
    'ENGINE_UNAVAILABLE',
    () => 'the certificate of the search server is not trusted; name its authority in ES_CA',
  ],
  unreadable: ['ENGINE_ERROR', (what) => `the search server's answer to ${what} cannot be read`],
  tooLarge: [
    'ENGINE_ERROR',
    (what) =>
      `the search server's answer to ${what} is larger than ${maxAnswerBytes} bytes: request less at once`,
  ],
};
