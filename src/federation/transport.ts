import type { DocumentNode } from 'graphql';
import { buildHTTPExecutor } from '@graphql-tools/executor-http';
import { Agent, fetch as undiciFetch } from 'undici';
import { connectionReason } from '../connection-reason.ts';
import type { ErrorCode } from '../errors.ts';
import { TributaryError } from '../errors.ts';
import { isNestedWithin } from './json-depth.ts';

/** Connections to all remote nodes, kept alive between requests. */
export interface Transport {
  readonly fetch: typeof undiciFetch;
  /** The largest answer read, in bytes after decompression. */
  readonly maxResponseBytes: number;
  close(): Promise<void>;
}

export const openTransport = (maxResponseBytes: number): Transport => {
  const agent = new Agent({ keepAliveTimeout: 30_000, connect: { timeout: 10_000 } });
  return {
    maxResponseBytes,
    fetch: (input, init) => undiciFetch(input, { ...init, dispatcher: agent }),
    // a node that hangs must not hold the process up
    close: () => agent.destroy(),
  };
};

/** One GraphQL request to one node. */
export interface GraphqlRequest {
  readonly document: DocumentNode;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** What an executor answers, still untrusted. */
export interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions?: Record<string, unknown> }[];
  readonly extensions?: unknown;
}

export type GraphqlExecutor = (request: GraphqlRequest) => Promise<GraphqlAnswer>;

/**
 * Sends GraphQL to one address. What the node answers as GraphQL, errors included, is returned; what is no GraphQL
 * answer is thrown.
 * @throws TributaryError NODE_TIMEOUT, NODE_UNREACHABLE, NODE_REFUSED, NODE_BAD_RESPONSE with a reason safe to show
 */
export const graphqlExecutor = (transport: Transport, url: string): GraphqlExecutor => {
  return async ({ document, variables, headers, signal }) => {
    const exchange: { failure: TributaryError | null } = { failure: null };
    const executor = buildHTTPExecutor({
      endpoint: url,
      deduplicateInflightRequests: false,
      fetch: async (address: string, init?: RequestInit) => {
        try {
          return await boundedFetch(transport, address, init, signal);
        } catch (error) {
          exchange.failure = error instanceof TributaryError ? error : transportFailure(error, signal);
          throw exchange.failure;
        }
      },
    });
    const answer = (await executor({ document, variables: { ...variables }, extensions: { headers } })) as
      GraphqlAnswer | undefined;
    if (exchange.failure) throw exchange.failure;
    if (
      !answer ||
      !Array.isArray(answer.errors ?? []) ||
      answer.errors?.some((error) => error.extensions?.['code'] === 'RESPONSE_VALIDATION_FAILED')
    )
      throw failed('NODE_BAD_RESPONSE', 'the answer is not GraphQL');
    return answer;
  };
};

const boundedFetch = async (
  transport: Transport,
  address: string,
  init: RequestInit | undefined,
  signal: AbortSignal,
): Promise<Response> => {
  const response = await transport.fetch(address, {
    method: 'POST',
    // asked for as plain JSON, GraphQL errors come with HTTP 200 or 400 from every server
    headers: { ...(init?.headers as Record<string, string>), accept: 'application/json' },
    body: init?.body as string,
    redirect: 'manual',
    signal,
  });
  const { status } = response;
  if (status === 200 || status === 400) {
    const body = await boundedBody(response.body, transport.maxResponseBytes);
    // GraphQL errors may come with 400; the executor reads them like any other
    return new Response(body, { status, headers: { 'content-type': 'application/json' } });
  }
  await response.body?.cancel();
  throw statusFailure(status);
};

/** Documents and introspection stay far below. */
const maxLevels = 100;

const boundedBody = async (
  stream: AsyncIterable<Uint8Array> | null,
  maxResponseBytes: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    // leaving the loop cancels the stream
    if (size > maxResponseBytes)
      throw failed('NODE_BAD_RESPONSE', `the answer is larger than ${maxResponseBytes} bytes`);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks, size);
  if (!isNestedWithin(body, maxLevels))
    throw failed('NODE_BAD_RESPONSE', `the answer is nested deeper than ${maxLevels} levels`);
  return body;
};

const statusFailure = (status: number): TributaryError => {
  if (status === 0 || (status >= 300 && status < 400))
    return failed('NODE_BAD_RESPONSE', `redirects are not followed (HTTP ${status})`);
  if (status >= 500 || status === 429) return failed('NODE_UNREACHABLE', `answered HTTP ${status}`);
  if (status >= 400) return failed('NODE_REFUSED', `refused the request (HTTP ${status})`);
  return failed('NODE_BAD_RESPONSE', `answered HTTP ${status}`);
};

/** A failure below GraphQL: only reasons from a list of ours are shown, never the system's own text. */
export const transportFailure = (error: unknown, signal: AbortSignal): TributaryError => {
  if (signal.aborted) return failed('NODE_TIMEOUT', 'did not answer in time', error);
  return failed('NODE_UNREACHABLE', connectionReason(error), error);
};

const failed = (code: ErrorCode, reason: string, cause?: unknown): TributaryError =>
  new TributaryError(code, reason, { cause });
