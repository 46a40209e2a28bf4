import type { JsonReduction } from '../../json/large/read-json.ts';
import { TributaryError } from '../../errors/errors.ts';
import { wholeAnswer, type HttpAnswer } from './http-post.ts';
import type { SteadyPost } from './lost-connection.ts';
import type { GraphqlAnswer } from './transport.ts';
import { isReadStatus, readGraphql, transportFailure } from './transport.ts';

/** @returns stands for the answer */
export type BodyTaker = (body: Uint8Array, parsed: () => Promise<GraphqlAnswer>) => Promise<GraphqlAnswer>;

/** One request made through a GraphQL library, and its outcome. */
export interface Exchange {
  readonly headers: Readonly<Record<string, string>>;
  readonly reduction: JsonReduction | undefined;
  readonly take: BodyTaker | undefined;
  /** Whether sending it twice has the effect of sending it once. */
  readonly isRepeatable: boolean;
  answer: GraphqlAnswer | null;
  failure: unknown;
}

/** A fetch for GraphQL over POST, called by GraphQL libraries. Never rejects: failures are stored in the exchange. */
export type BoundedFetch = (request: RequestInit, exchange: Exchange) => Promise<Response>;

/**
 * The fetch that a GraphQL library uses. JSON within the transport's byte limit, nested no deeper than documents are,
 * is parsed here, off the event loop when it is large; anything else, whatever its content type or status, becomes a
 * TributaryError with our own wording. The library gets an empty response in both cases, and so has nothing from the
 * node to leak.
 */
export const boundedFetch =
  (send: SteadyPost, maxBytes: number): BoundedFetch =>
  async ({ body, headers, signal }, exchange) => {
    const leaving = signal ?? AbortSignal.timeout(60_000);
    const post = {
      headers: headers as Readonly<Record<string, string>>,
      body: body as string,
      signal: leaving,
      maxBytes,
      isRead: isReadStatus,
    };
    try {
      const answer = await send(post, exchange.isRepeatable, wholeAnswer);
      rejectOtherTypes(answer);
      const { reduction } = exchange;
      const parsed = async (): Promise<GraphqlAnswer> => readGraphql(answer, { reduction });
      const { status, body: sent } = answer;
      const isTaken = exchange.take !== undefined && status === 200 && sent !== null;
      exchange.answer = await (isTaken ? exchange.take!(sent, parsed) : parsed());
    } catch (error) {
      exchange.failure = error instanceof TributaryError ? error : transportFailure(error, leaving);
    }
    return Response.json({ data: {} });
  };

/** A server that does not declare a type is assumed to send the requested one: anything but JSON will fail to parse. */
const rejectOtherTypes = ({ status, contentType }: HttpAnswer): void => {
  if (!isReadStatus(status) || contentType === null) return;
  if (/^\s*application\/(graphql-response\+)?json\s*(;|$)/i.test(contentType)) return;
  // content types have a known form; anything else is not echoed
  const [type] = /^[a-z]{1,20}\/[\w.+-]{1,60}(?=\s*(;|$))/i.exec(contentType) ?? ['another content type'];
  throw new TributaryError('NODE_BAD_RESPONSE', `the answer is ${type}, not JSON`);
};
