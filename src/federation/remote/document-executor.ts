import { buildHTTPExecutor } from '@graphql-tools/executor-http';
import type { DocumentNode } from 'graphql';
import { getOperationAST } from 'graphql';
import type { JsonReduction } from '../../json/large/read-json.ts';
import type { BodyTaker, Exchange } from './bounded-fetch.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { openRetryBudget } from '../../net/retry.ts';
import { steadyPost } from './lost-connection.ts';
import type { GraphqlAnswer, Transport } from './transport.ts';
import { transportFailure } from './transport.ts';

/** One GraphQL document for one node. */
export interface DocumentRequest {
  readonly document: DocumentNode;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Applied to the answer, off the event loop when it is large. */
  readonly reduction?: JsonReduction;
  /** Reads the body of an answer with status 200 itself; `parsed` parses it. */
  readonly take?: BodyTaker;
}

export type DocumentExecutor = (request: DocumentRequest) => Promise<GraphqlAnswer>;

/**
 * Sends documents to one address with the executor that GraphQL libraries use: for discovery and for a node's own
 * schema. GraphQL responses from the node are returned; nothing the library makes of other responses is.
 * @param budget of the node, for what was lost with a connection
 * @throws TributaryError NODE_TIMEOUT, NODE_UNREACHABLE, NODE_REFUSED, NODE_BAD_RESPONSE, TOO_MANY_REQUESTS with a
 *   reason safe to show
 */
export const documentExecutor = (
  transport: Transport,
  endpoint: string,
  budget = openRetryBudget(),
): DocumentExecutor => {
  const fetch = boundedFetch(steadyPost(transport, new URL(endpoint), budget), transport.maxResponseBytes);
  const execute = buildHTTPExecutor({
    endpoint,
    // it would be tied to the signal of the first caller
    deduplicateInflightRequests: false,
    headers: (request) => ({
      'content-type': 'application/json',
      ...(request?.context as Exchange).headers,
      // the library's default also accepts multipart
      accept: 'application/json',
    }),
    fetch: (_url: string, init?: RequestInit, exchange?: unknown) => fetch(init!, exchange as Exchange),
  });
  return async ({ document, variables, headers, signal, reduction, take }) => {
    const isRepeatable = getOperationAST(document)?.operation === 'query';
    const exchange: Exchange = { headers, reduction, take, isRepeatable, answer: null, failure: null };
    await execute({ document, variables, signal, context: exchange });
    if (exchange.answer !== null) return exchange.answer;
    // a request aborted before it was sent has neither
    throw exchange.failure ?? transportFailure(null, signal);
  };
};
