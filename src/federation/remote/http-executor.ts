import type { IncomingHttpHeaders } from 'node:http';
import { buildHTTPExecutor } from '@graphql-tools/executor-http';
import { GraphQLError, parse } from 'graphql';
import { Agent, type Dispatcher } from 'undici';
import { openSemaphore } from '../../lib/concurrency/locks.ts';
import { TributaryError, type ErrorCode } from '../../lib/errors/errors.ts';
import { isJsonObject, readJson } from '../../lib/json/json.ts';
import { connectionReason } from '../../lib/net/connection-reason.ts';
import { RequestCoalescer } from '../../lib/net/request-coalescer.ts';
import {
  openRetryBudget,
  retryAfterMs,
  retryingErrors,
  rateLimited,
  unavailable,
  type RetryBudget,
} from '../../lib/net/retry.ts';
import type { HeldMemory } from '../../lib/runtime/memory-account.ts';
import { callerHeader, deadlineHeader } from './node-statements.ts';
import { sendHttp, type HttpAnswer, type HttpRequest } from './send-http.ts';

/** One GraphQL request to one node. */
export interface GraphqlRequest {
  /** As returned by graphqlBody. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The received bytes are added to it. */
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

/** Connections to all remote nodes. */
export interface Transport {
  /** Keeps connections open between requests. */
  readonly agent: Pick<Dispatcher, 'dispatch'>;
  /** Makes a connection for each request. */
  readonly freshAgent: Pick<Dispatcher, 'dispatch'>;
  /** The largest response read, in bytes after decompression. */
  readonly maxResponseBytes: number;
  /** Also aborts all requests: a node that hangs must not keep the process alive. */
  close(): Promise<void>;
}

/** The connection to a node that dials in: open while the node has a tunnel. */
export interface Tunnel {
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  readonly isConnected: () => boolean;
  /** Why it is not connected, and since when. */
  readonly absence: () => string;
  /** Calls back when the tunnel opens or closes. @returns removes the listener */
  readonly onChange: (listener: (isConnected: boolean) => void) => () => void;
}

/** Requests through a tunnel, whose connection is the only one. */
export const tunnelTransport = ({ dispatcher }: Tunnel, maxResponseBytes: number): Transport => ({
  agent: dispatcher,
  freshAgent: dispatcher,
  maxResponseBytes,
  close: () => Promise.resolve(),
});

/** A node of this software accepts 1000 connections, from all its clients; further requests to it wait in a queue. */
const maxConnectionsPerNode = 64;

/** Every request has its own deadline, so undici's timeouts for the response are off. */
const agentOptions = {
  connections: maxConnectionsPerNode,
  connectTimeout: 10_000,
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** Opens the transport; no connection is made before the first request. @param maxResponseBytes after decompression */
export const openTransport = (maxResponseBytes: number): Transport => {
  // a server closes an idle connection after the time it announces: a connection about to be closed is not used again,
  // even if this process or the server is busy for a moment
  const agent = new Agent({ ...agentOptions, keepAliveTimeout: 30_000, keepAliveTimeoutThreshold: 2_500 });
  const freshAgent = new Agent({ ...agentOptions, pipelining: 0 });
  return {
    agent,
    freshAgent,
    maxResponseBytes,
    close: async () => void (await Promise.all([agent.destroy(), freshAgent.destroy()])),
  };
};

/** How long requests to a node that lost a kept connection are sent over new connections. */
const distrustMs = 60_000;

/** Sends everything that one node is sent, by one GraphQL executor. */
export class NodeExecutor {
  readonly #transport: Transport;
  readonly #address: URL;
  readonly #budget: RetryBudget;
  readonly #execute: ReturnType<typeof buildHTTPExecutor>;
  // undici's own queue holds an aborted request until its turn, which then costs a connection
  readonly #slots = openSemaphore(maxConnectionsPerNode);
  #distrustedUntilMs = -Infinity;

  /** @param budget the node's retry budget, which limits how many requests are resent */
  constructor(transport: Transport, address: string, budget: RetryBudget = openRetryBudget()) {
    this.#transport = transport;
    this.#address = new URL(address);
    this.#budget = budget;
    this.#execute = buildHTTPExecutor({
      endpoint: address,
      fetch: (_url: string, _init?: RequestInit, request?: unknown) => this.#fetch(request as GraphqlRequest),
      print: () => '',
      // it would end for all callers when the first one leaves; see coalesced
      deduplicateInflightRequests: false,
    });
  }

  /**
   * Sends one query. A GraphQL response, errors included, is returned; anything else is thrown.
   * @throws TributaryError NODE_TIMEOUT, NODE_UNREACHABLE, NODE_REFUSED, NODE_BAD_RESPONSE, TOO_MANY_REQUESTS, NOT_READY
   *   with a reason safe to show
   */
  readonly send: SendGraphql = async (request) => {
    // the body is printed once, by its caller. The executor would also search its variables for uploads, and takes
    // every object with a key such as `then` or `promise` for one
    const answer = (await this.#execute({ document: anyQuery, context: request })) as GraphqlAnswer;
    const [error] = answer.errors ?? [];
    // the executor returns what was thrown; errors of the node are plain objects
    if (error instanceof GraphQLError) throw error.originalError ?? error;
    return answer;
  };

  /** The executor's fetch, which throws nothing but errors in our words. */
  async #fetch(request: GraphqlRequest): Promise<Response> {
    const { body, signal, memory, once = false, exact = false } = request;
    // when plain JSON is requested, every server sends GraphQL errors with HTTP 200 or 400
    const headers = { 'content-type': 'application/json', ...request.headers, accept: 'application/json' };
    const maxBytes = this.#transport.maxResponseBytes;
    try {
      const answer = await this.post({ body, headers, signal, memory, maxBytes, isRead: judge }, !once);
      return asResponse(readGraphql(answer, exact));
    } catch (error) {
      throw error instanceof TributaryError ? error : transportFailure(error, signal);
    }
  }

  /**
   * Waits for one of the node's connections, then posts. A server may close a kept connection at any time, and does when it
   * restarts: a request lost with it is sent once more over a new one, below the circuit, so that it counts once. For a
   * while all other requests also use new connections.
   * @param isIdempotent whether sending it twice has the effect of sending it once
   * @throws TributaryError NODE_TIMEOUT when the signal is aborted in the queue, and the errors of sendHttp
   */
  async post(request: HttpRequest, isIdempotent: boolean): Promise<HttpAnswer> {
    const release = await this.#slots.acquire(request.signal);
    try {
      return await this.#sendWithReconnect(request, isIdempotent);
    } finally {
      release();
    }
  }

  // undici's retry interceptor would choose another kept connection, and continue half an answer with a Range header
  #sendWithReconnect(request: HttpRequest, isIdempotent: boolean): Promise<HttpAnswer> {
    const { agent, freshAgent } = this.#transport;
    if (performance.now() < this.#distrustedUntilMs) return sendHttp(freshAgent, this.#address, request);
    return retryingErrors((attempt) => sendHttp(attempt === 1 ? agent : freshAgent, this.#address, request), {
      attempts: 2,
      delays: { firstMs: 0, maxMs: 0 },
      isIdempotent,
      isTransient: (error) => this.#isLost(error),
      // requests are counted where they are made
      budget: { recordRequest: () => undefined, spend: () => this.#budget.spend() },
      signal: request.signal,
    });
  }

  #isLost(error: unknown): boolean {
    if (!isLostConnection(error)) return false;
    this.#distrustedUntilMs = performance.now() + distrustMs;
    return true;
  }
}

/** The executor only looks for the kind of operation. */
const anyQuery = parse('{ __typename }');

/**
 * The executor parses text, and passes anything else on: from text, it would make errors of a node's errors with whatever
 * source and positions they name, which can take minutes.
 */
const asResponse = (answer: GraphqlAnswer): Response =>
  ({ status: 200, statusText: '', headers: noHeaders, text: () => answer }) as unknown as Response;

const noHeaders = { get: () => null, entries: () => [] };

const lostCodes: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Whether an established connection ended without an answer. */
const isLostConnection = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause)
    if (lostCodes.has((at as NodeJS.ErrnoException).code)) return true;
  return false;
};

/**
 * Decides by its head whether a response is read: only 200 and 400 carry GraphQL errors.
 * @throws TributaryError for a response that cannot be an answer, with a reason safe to show
 */
const judge = (status: number, headers: IncomingHttpHeaders): boolean => {
  const waitMs = retryAfterMs(headers['retry-after']);
  if (status === 429) throw rateLimited(waitMs);
  // 404: a catalogue that failed there, and is checked again
  if (status === 503 || (status === 404 && waitMs !== null)) throw unavailable(status, waitMs);
  if (status !== 200 && status !== 400) throw statusFailure(status);
  const type = headers['content-type'];
  if (type !== undefined && !jsonType.test(type))
    throw failed('NODE_BAD_RESPONSE', `the answer is ${printed(type)}, not JSON`);
  return true;
};

/** Some servers send JSON as plain text. */
const jsonType = /^\s*(application\/([\w.-]+\+)?json|text\/plain)?\s*(;|$)/i;

/** A content type, if it has a valid form; anything else is not echoed. */
const printed = (type: string): string =>
  /^[a-z]{1,20}\/[\w.+-]{1,60}(?=\s*(;|$))/i.exec(type)?.[0] ?? 'another content type';

const statusFailure = (status: number): TributaryError => {
  if (status >= 300 && status < 400)
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

/** Documents and introspection stay far below this. */
const maxLevels = 100;

/** Reads the body of a response, if it is GraphQL. @throws TributaryError NODE_BAD_RESPONSE */
const readGraphql = ({ headers, body }: HttpAnswer, exact: boolean): GraphqlAnswer => {
  const answer = parsed(body!, exact);
  if (!isGraphql(answer)) throw failed('NODE_BAD_RESPONSE', 'the answer is not GraphQL');
  const schema = headers['tributary-schema'];
  return schema === undefined ? answer : { ...answer, schema: String(schema) };
};

const parsed = (body: Buffer, exact: boolean): unknown => {
  try {
    return readJson(body, { maxLevels, exact });
  } catch (error) {
    if (error instanceof RangeError)
      throw failed('NODE_BAD_RESPONSE', `the answer is ${error.message}`, error);
    // the parser quotes the text
    throw failed('NODE_BAD_RESPONSE', 'the answer is not GraphQL');
  }
};

/** An object with data, or with a list of errors. */
const isGraphql = (answer: unknown): answer is GraphqlAnswer => {
  if (!isJsonObject(answer)) return false;
  const errors: unknown = answer['errors'] ?? [];
  if (!Array.isArray(errors) || !errors.every(isJsonObject)) return false;
  return answer['data'] != null || errors.length > 0;
};

/**
 * Coalesces concurrent equal requests to one node: the same body, and the same headers except those that only
 * name the request or its caller; for other networks, only times that differ by less than a factor of two, as it answers
 * within the first one's. The request is aborted when its last waiter leaves.
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
