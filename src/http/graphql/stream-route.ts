import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCodes, TributaryError } from '../../errors/errors.ts';
import { requireOpenNodes } from '../callers/require-access.ts';
import { nothingAt } from '../catalogue/find-catalogue.ts';
import { requestContextOf, type HttpContext } from '../koa/http-context.ts';
import { isInvalidForNow, requireNetwork, servedNetwork } from '../network/served-network.ts';
import { Trace } from '../../search/request-context.ts';
import { usesFilters } from './disabled-filters.ts';
import { openGrowingRequest, type GrowingRequest } from './growing-answers.ts';
import type { GraphQLParts } from './graphql-routes.ts';
import { readGraphQLRequest, type GraphQLRequest } from './graphql-request.ts';
import { reject } from './refusal.ts';

/** Events are at least this far apart. */
const gapMs = 250;
/** So that nothing between takes the connection for dead. */
const commentMs = 10_000;

/**
 * POST .../network/stream: an operation of GraphQL on the network's own fields, answered as its nodes answer: each event
 * is a whole answer, whose missing nodes are `pending`; the last is named `done`.
 */
export const streamNetwork = async (
  context: HttpContext,
  name: string | null,
  parts: GraphQLParts,
): Promise<void> => {
  try {
    await stream(context, name, parts);
  } catch (error) {
    if (!(error instanceof TributaryError) || !errorCodes[error.code].safe) throw error;
    reject(context, error);
  }
};

const stream = async (context: HttpContext, name: string | null, parts: GraphQLParts): Promise<void> => {
  const served = servedNetwork(name, parts);
  if (served === null) throw nothingAt(context.path);
  if (context.method !== 'POST') {
    context.set('allow', 'POST');
    throw new TributaryError('METHOD_NOT_ALLOWED', 'a growing answer must be requested by POST');
  }
  await requireNetwork(context, served, parts);
  const { bodyLimitBytes, searchTimeoutMs: timeoutMs } = parts.settings;
  const request = await readGraphQLRequest(context, { bodyLimitBytes, batching: false, persisted: parts.persisted });
  const { query } = one(request);
  if (served.switches.disableFilters && usesFilters(one(request)))
    throw new TributaryError('FORBIDDEN', 'filters are disabled here');
  if (/\b__(schema|type)\b/.test(query)) await requireOpenNodes(context, served.network, parts);
  const { accessFilter, networkAccess, allowanceOf } = parts;
  const requestContext = requestContextOf(context, { accessFilter, networkAccess, allowance: allowanceOf(context), timeoutMs });
  await served.network.opened;
  let endpoint = parts.endpoints.ofStream(served.network, served.limits);
  const growing = openGrowingRequest();
  const answer = async (): Promise<string> => {
    const { body } = await endpoint.answer(request, requestContext.withGrowing(growing.growing, new Trace()), 'application/json');
    if (isInvalidForNow(served.network, body)) {
      await served.network.settled;
      endpoint = parts.endpoints.ofStream(served.network, served.limits);
      return answer();
    }
    return bounded(JSON.stringify(body), parts.settings.maxResponseBytes);
  };
  // a refusal before any node was queried is an answer like any other
  const before = growing.changes();
  const first = { text: await answer(), changes: before };
  context.set({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  context.type = 'text/event-stream; charset=utf-8';
  const body = new PassThrough();
  context.body = body;
  void send(body, first, answer, growing, requestContext.signal!).catch((error: unknown) => body.destroy(error as Error));
}; // prettier-ignore

const one = ({ params }: GraphQLRequest) => (Array.isArray(params) ? params[0]! : params) as Exclude<typeof params, readonly unknown[]>; // prettier-ignore

const bounded = (text: string, maxBytes: number): string => {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const message = `the answer is larger than ${maxBytes} bytes: ask for less at a time`;
  return JSON.stringify({ errors: [{ message, extensions: { code: 'RESPONSE_TOO_LARGE' } }] });
};

const timedOut = ({ code, message }: TributaryError): string =>
  JSON.stringify({ errors: [{ message, extensions: { code } }] });

const send = async (
  body: PassThrough,
  first: { readonly text: string; readonly changes: number },
  answer: () => Promise<string>,
  growing: GrowingRequest,
  signal: AbortSignal,
): Promise<void> => {
  const comments = setInterval(() => body.write(': \n\n'), commentMs);
  const write = async (event: string, text: string): Promise<void> => {
    if (!body.write(`event: ${event}\ndata: ${text}\n\n`)) await once(body, 'drain', { signal });
  };
  try {
    let { text, changes } = first;
    // nodes that ended while it was made are not in it
    while ((!growing.isWhole() || growing.changes() !== changes) && !body.destroyed) {
      if (!growing.isWhole()) {
        await write('answer', text);
        await Promise.all([growing.next(), sleep(gapMs, undefined, { signal })]);
      }
      changes = growing.changes();
      text = await answer();
    }
    await write('done', text);
    body.end();
  } catch (error) {
    if (!signal.aborted) throw error;
    // who has left reads no reason
    if (signal.reason instanceof TributaryError)
      body.end(`event: done\ndata: ${timedOut(signal.reason)}\n\n`);
    else body.destroy();
  } finally {
    clearInterval(comments);
  }
};
