import type { Dispatcher } from 'undici';
import { connectionReason } from '../../net/connection-reason.ts';
import type { ErrorCode } from '../../errors/errors.ts';
import { TributaryError } from '../../errors/errors.ts';
import { isJsonObject } from '../../json/json.ts';
import { retryAfterMs } from '../../net/retry-after.ts';
import { openRetryBudget } from '../../net/retry.ts';
import { rateLimited, unavailable } from './requested-wait.ts';
import { parseJsonNow, type JsonReduction } from '../../json/large/read-json.ts';
import { isLargeJson, parseJson } from '../../json/large/parse-json.ts';
import { openKnownAnswers, requestKey, type KnownAnswer, type KnownAnswers } from './known-answers.ts';
import { Connections } from './connections.ts';
import type { HttpAnswer, HttpPost } from './http-post.ts';
import { steadyPost } from './lost-connection.ts';

/** Connections to all remote nodes, kept alive between requests. */
export interface Transport {
  readonly agent: Dispatcher;
  /** Makes a connection for each request. */
  readonly freshAgent: Dispatcher;
  /** The largest response read, in bytes after decompression. */
  readonly maxResponseBytes: number;
  readonly answers: KnownAnswers;
  close(): Promise<void>;
}

/** Every request has a deadline of its own, so that its answer needs no other. */
const times = { connectTimeout: 10_000, headersTimeout: 0, bodyTimeout: 0 };

/**
 * Opens the connections; none is made before the first request.
 * @param maxResponseBytes after decompression
 */
export const openTransport = (maxResponseBytes: number): Transport => {
  const agent = new Connections({
    keepAliveTimeout: 30_000,
    // a server closes an idle connection after the time that it names: one that is about to go is not used again, even
    // where this process or the server is busy for a moment
    keepAliveTimeoutThreshold: 2_500,
    ...times,
  });
  const freshAgent = new Connections({ pipelining: 0, ...times });
  return {
    agent,
    freshAgent,
    maxResponseBytes,
    answers: openKnownAnswers(),
    close: async () => void (await Promise.all([agent.destroy(), freshAgent.destroy()])),
  };
};

/** One GraphQL request to one node. */
export interface GraphqlRequest {
  /** As returned by graphqlBody. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Of a node that may say that its answer is the one it gave before, which is kept for that. */
  readonly isKept?: boolean;
  /** The caller tries again itself: what is lost with a connection is not sent once more here. */
  readonly once?: boolean;
}

/** A document and its variables in the form of GraphQL over HTTP. */
export const graphqlBody = (query: string, variables: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ query, variables });

/** An executor's answer, still untrusted. */
export interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlAnswerError[];
  readonly extensions?: unknown;
  /** The entity tag of an answer that is kept; unset: it has none. */
  readonly tag?: string;
  /** A fingerprint of what can be asked there; unset: it does not say. */
  readonly schema?: string;
}

export interface GraphqlAnswerError {
  readonly message?: unknown;
  readonly path?: unknown;
  readonly extensions?: Record<string, unknown>;
}

/** @param take reads the answer as it arrives, see TakeHttp; must not throw */
export type GraphqlExecutor = <Taken>(
  request: GraphqlRequest,
  take: (answer: GraphqlAnswer) => Taken,
) => Promise<Taken>;

/**
 * Sends queries to one address. A GraphQL response, errors included, is returned; anything else is thrown.
 * @param budget of the node, for what was lost with a connection
 * @throws TributaryError NODE_TIMEOUT, NODE_UNREACHABLE, NODE_REFUSED, NODE_BAD_RESPONSE, TOO_MANY_REQUESTS with a
 *   reason safe to show
 */
export const graphqlExecutor = (
  transport: Transport,
  address: string,
  budget = openRetryBudget(),
): GraphqlExecutor => {
  const { maxResponseBytes, answers } = transport;
  const steady = steadyPost(transport, new URL(address), budget);
  const keeper = answerKeeper(address, answers);
  return ({ body, headers: given, signal, isKept = false, once = false }, take) => {
    // when plain JSON is requested, every server sends GraphQL errors with HTTP 200 or 400
    const headers = { 'content-type': 'application/json', ...given, accept: 'application/json' };
    const kept = isKept ? keeper.asking(headers, body) : null;
    const sent: HttpPost = {
      headers: kept === null ? headers : { ...headers, 'if-none-match': kept.known?.tag ?? unknownTag },
      body,
      signal,
      maxBytes: maxResponseBytes,
      isRead: kept === null ? isReadStatus : isKeptStatus,
    };
    const taken = (answered: HttpAnswer) => {
      const answer = kept === null ? answered : keeper.answered(answered, kept);
      const read = readGraphql(answer, { isNamed: isKept });
      return read instanceof Promise ? read.then(take) : take(read);
    };
    return steady(sent, !once, taken).catch((error: unknown) => {
      throw error instanceof TributaryError ? error : transportFailure(error, signal);
    });
  };
};

/** A request whose answer is kept, and what was known of that before it was sent. */
interface Kept {
  readonly headers: HttpPost['headers'];
  readonly body: string;
  /** See requestKey; null until it is needed. */
  readonly key: string | null;
  readonly known: KnownAnswer | undefined;
}

/** Gives a node's answer, or the one it gave before if it says that it is the same. */
interface AnswerKeeper {
  readonly asking: (headers: HttpPost['headers'], body: string) => Kept;
  readonly answered: (answer: HttpAnswer, kept: Kept) => HttpAnswer;
}

/** Asks for any tag: no answer has this one. */
const unknownTag = '"-"';

const answerKeeper = (address: string, answers: KnownAnswers): AnswerKeeper => {
  // until it has given a tag, there is no answer to look for: the name of a request takes a hash
  let hasTags = false;
  return {
    asking: (headers, body) => {
      const key = hasTags ? requestKey(address, headers, body) : null;
      return { headers, body, key, known: key === null ? undefined : answers.get(key) };
    },
    answered: (answer, { headers, body, key, known }) => {
      if (answer.status === 304 && known !== undefined)
        // a copy: reading a large one takes it away
        return { ...answer, status: 200, etag: known.tag, body: Buffer.from(known.body) };
      if (answer.status === 200 && answer.body !== null && answer.etag !== null) {
        hasTags = true;
        answers.keep(key ?? requestKey(address, headers, body), { tag: answer.etag, body: answer.body });
      }
      return answer;
    },
  };
};

/** Documents and introspection stay far below this. */
const maxLevels = 100;

/** The statuses that carry GraphQL errors. */
export const isReadStatus = (status: number): boolean => status === 200 || status === 400;

/** Read although it is empty: a body that is left unread closes its connection. */
const isKeptStatus = (status: number): boolean => status === 304 || isReadStatus(status);

export interface GraphqlReading {
  /** Applied to the answer, off the event loop when it is large. */
  readonly reduction?: JsonReduction | undefined;
  /** Whether to say by what the answer, and what can be asked, are known again. */
  readonly isNamed?: boolean;
}

/**
 * A node's response, if it is GraphQL: at once, but for a large one.
 * @throws TributaryError with a reason safe to show
 */
export const readGraphql = (
  { status, retryAfter, body, etag, schema }: HttpAnswer,
  { reduction, isNamed = false }: GraphqlReading,
): GraphqlAnswer | Promise<GraphqlAnswer> => {
  if (status === 429) throw rateLimited(retryAfterMs(retryAfter));
  if (status === 503) throw unavailable(status, retryAfterMs(retryAfter));
  if (body === null) throw statusFailure(status);
  const checked = (answer: unknown): GraphqlAnswer => {
    if (!isGraphql(answer)) throw failed('NODE_BAD_RESPONSE', 'the answer is not GraphQL');
    return isNamed
      ? { ...answer, ...(etag !== null && { tag: etag }), ...(schema !== null && { schema }) }
      : answer;
  };
  if (reduction !== undefined || isLargeJson(body))
    return parseJson(body, { maxLevels, ...(reduction && { reduction }) })
      .catch(notJson)
      .then(checked);
  return checked(parsedNow(body));
};

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
