import type { JsonReduction } from '../../large-json/read-json.ts';
import { TributaryError } from '../../errors.ts';
import type { HttpAnswer } from './http-post.ts';
import { httpPost } from './http-post.ts';
import type { GraphqlAnswer, Transport } from './transport.ts';
import { isReadStatus, readGraphql, transportFailure } from './transport.ts';

/** One request on its way through a GraphQL library, and what came of it. */
export interface Exchange {
  readonly headers: Readonly<Record<string, string>>;
  readonly reduction: JsonReduction | undefined;
  answer: GraphqlAnswer | null;
  failure: unknown;
}

/** A fetch for GraphQL over POST, of what GraphQL libraries give it. Never rejects: what failed is in the exchange. */
export type BoundedFetch = (url: string, request: RequestInit, exchange: Exchange) => Promise<Response>;

/**
 * What a GraphQL library sends with. JSON within the transport's bytes, nested no deeper than documents are, is read
 * here, beside the event loop when it is large; all else, whatever its content type or status, is a TributaryError with
 * words of ours. The library gets an empty answer in both cases, and so has nothing of the node's to pass on.
 */
export const boundedFetch =
  ({ agent, maxResponseBytes }: Transport): BoundedFetch =>
  async (url, { body, headers, signal }, exchange) => {
    const leaving = signal ?? AbortSignal.timeout(60_000);
    const post = {
      headers: headers as Readonly<Record<string, string>>,
      body: body as string,
      signal: leaving,
      maxBytes: maxResponseBytes,
      isRead: isReadStatus,
    };
    try {
      const answer = await httpPost(agent, new URL(url), post);
      rejectOtherTypes(answer);
      exchange.answer = await readGraphql(answer, exchange.reduction);
    } catch (error) {
      exchange.failure = error instanceof TributaryError ? error : transportFailure(error, leaving);
    }
    return Response.json({ data: {} });
  };

/** A server that does not say is believed to send what it was asked for: what is no JSON will not parse. */
const rejectOtherTypes = ({ status, contentType }: HttpAnswer): void => {
  if (!isReadStatus(status) || contentType === null) return;
  if (/^\s*application\/(graphql-response\+)?json\s*(;|$)/i.test(contentType)) return;
  // types that servers give have a known form; what has another is not repeated
  const [type] = /^[a-z]{1,20}\/[\w.+-]{1,60}(?=\s*(;|$))/i.exec(contentType) ?? ['another content type'];
  throw new TributaryError('NODE_BAD_RESPONSE', `the answer is ${type}, not JSON`);
};
