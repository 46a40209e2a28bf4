import { buildHTTPExecutor } from '@graphql-tools/executor-http';
import { getOperationAST, print, type DocumentNode } from 'graphql';
import { TributaryError } from '../../errors/errors.ts';
import type { JsonReduction } from '../../json/large/read-json.ts';
import { isReadStatus, readGraphql, transportFailure, type GraphqlAnswer } from './graphql-over-http.ts';
import type { HttpAnswer, NodeConnection } from './http-client.ts';

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

/** @returns replaces the answer */
type BodyTaker = (body: Uint8Array, parsed: () => Promise<GraphqlAnswer>) => Promise<GraphqlAnswer>;

export type DocumentExecutor = (request: DocumentRequest) => Promise<GraphqlAnswer>;

/** One request made through the GraphQL library, and its outcome. */
interface Exchange {
  readonly request: DocumentRequest;
  answer: GraphqlAnswer | null;
  failure: unknown;
}

/**
 * Sends documents to one address with the executor that GraphQL libraries use: for discovery and for a node's own
 * schema. GraphQL responses from the node are returned; nothing the library makes of other responses is.
 * @throws TributaryError NODE_TIMEOUT, NODE_UNREACHABLE, NODE_REFUSED, NODE_BAD_RESPONSE, TOO_MANY_REQUESTS with a
 *   reason safe to show
 */
export const documentExecutor = (node: NodeConnection, endpoint: string): DocumentExecutor => {
  const execute = buildHTTPExecutor({
    endpoint,
    // it would be tied to the signal of the first caller
    deduplicateInflightRequests: false,
    headers: (request) => ({
      'content-type': 'application/json',
      ...(request?.context as Exchange).request.headers,
      // the library's default also accepts multipart
      accept: 'application/json',
    }),
    fetch: (_url: string, init?: RequestInit, exchange?: unknown) =>
      fetchInto(exchange as Exchange, node, init!),
  });
  return async (request) => {
    const { document, variables, signal } = request;
    const exchange: Exchange = { request, answer: null, failure: null };
    await execute({ document, variables, signal, context: exchange });
    if (exchange.answer !== null) return exchange.answer;
    // a request aborted before it was sent has neither
    throw exchange.failure ?? transportFailure(null, signal);
  };
};

/**
 * The fetch of the GraphQL library. JSON within the node's byte limit, nested no deeper than documents are, is parsed
 * here, off the event loop when it is large; anything else, whatever its content type or status, becomes a
 * TributaryError with our own wording. The library gets an empty response in both cases, and so has nothing from the
 * node to leak. Never rejects: failures are stored in the exchange.
 */
const fetchInto = async (
  exchange: Exchange,
  node: NodeConnection,
  { body, headers, signal }: RequestInit,
): Promise<Response> => {
  const { document, reduction, take } = exchange.request;
  const until = signal ?? exchange.request.signal;
  const post = {
    headers: headers as Readonly<Record<string, string>>,
    body: body as string,
    signal: until,
    maxBytes: node.maxResponseBytes,
    isRead: isReadStatus,
  };
  try {
    const answer = await node.post(post, getOperationAST(document)?.operation === 'query');
    rejectOtherTypes(answer);
    const parsed = async (): Promise<GraphqlAnswer> => readGraphql(answer, reduction);
    const isTaken = take !== undefined && answer.status === 200 && answer.body !== null;
    exchange.answer = await (isTaken ? take(answer.body!, parsed) : parsed());
  } catch (error) {
    exchange.failure = error instanceof TributaryError ? error : transportFailure(error, until);
  }
  return Response.json({ data: {} });
};

/** A server that does not declare a type is assumed to send the requested one: anything but JSON will fail to parse. */
const rejectOtherTypes = ({ status, headers }: HttpAnswer): void => {
  const type = headers['content-type'];
  if (!isReadStatus(status) || type === undefined) return;
  if (/^\s*application\/(graphql-response\+)?json\s*(;|$)/i.test(type)) return;
  // content types have a known form; anything else is not echoed
  const [known] = /^[a-z]{1,20}\/[\w.+-]{1,60}(?=\s*(;|$))/i.exec(type) ?? ['another content type'];
  throw new TributaryError('NODE_BAD_RESPONSE', `the answer is ${known}, not JSON`);
};

/** What a document request sends besides its headers: equal for equal requests. */
export const documentTextOf = ({ document, variables = {} }: DocumentRequest): string =>
  print(document) + JSON.stringify(variables);
