import { maxAnswerBytes } from '../../net/bodies.ts';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { TributaryError } from '../../errors/errors.ts';
import { auditedBudget, auditedRefusal } from '../callers/audit-questions.ts';
import { requireOpenNodes } from '../callers/require-access.ts';
import { nothingAt, requestContextOf, type HttpContext } from '../koa/http-context.ts';
import { auditOf } from '../koa/request-questions.ts';
import { isInvalidForNow, requireNetwork, servedNetwork } from '../callers/find-target.ts';
import type { AuditFn, QueriesInFlight, QueryInFlight } from '../../search/request-context.ts';
import { Trace } from '../../search/request-context.ts';
import { filters, introspects, readGraphQLRequest } from './graphql-request.ts';
import type { GraphQLParts } from './graphql-routes.ts';
import { reject } from './graphql-results.ts';

/** The minimum time between events; the last one is sent as soon as it is known. */
const gapMs = 250;
/** The time between comments, so that no proxy considers the connection dead. */
const commentMs = 10_000;

/**
 * POST .../network/stream: a GraphQL operation on the network's own fields, answered as its nodes answer: each event is a
 * whole answer, whose missing nodes are `pending`; the last is named `done`.
 */
export const streamNetwork = async (
  context: HttpContext,
  name: string | null,
  parts: GraphQLParts,
): Promise<void> => {
  await stream(context, name, parts).catch((error: unknown) => reject(context, error));
};

const stream = async (context: HttpContext, name: string | null, parts: GraphQLParts): Promise<void> => {
  const served = servedNetwork(name, parts);
  if (served === null) throw nothingAt(context.path);
  if (context.method !== 'POST') {
    context.set('allow', 'POST');
    throw new TributaryError('METHOD_NOT_ALLOWED', 'a growing answer must be requested by POST');
  }
  const { network, limits, switches } = served;
  const target = { catalogueId: null, network: network.displayName() };
  const refused = auditedRefusal(auditOf(context), target);
  await requireNetwork(context, served, parts).catch(refused);
  const { endpoints, persisted, accessFilter, networkAccess, allowanceOf, body: limitsOfBody } = parts;
  const { searchTimeoutMs: timeoutMs, maxResponseBytes = maxAnswerBytes } = parts.settings;
  const request = await readGraphQLRequest(context, {
    body: limitsOfBody,
    batching: false,
    persisted,
  }).catch(auditedBudget(auditOf(context), target));
  if (switches.disableFilters && (await filters(request)))
    throw new TributaryError('FORBIDDEN', 'filters are disabled here');
  if (await introspects(request)) await requireOpenNodes(context, network, parts).catch(refused);
  const rights = { accessFilter, networkAccess, allowance: allowanceOf(context), timeoutMs };
  const requestContext = requestContextOf(context, rights);
  await network.opened;
  const queries = new RunningQueries();
  const audit = onceForNetworks(requestContext.observer.onQuestion);
  const answer = async (): Promise<string> => {
    const endpoint = endpoints.ofStream(network, limits);
    const once = requestContext.withQueriesInFlight(queries, new Trace()).withSteps(audit);
    const { body } = await endpoint.answer(request, once, 'application/json');
    if (!isInvalidForNow(network, body)) {
      const text = bounded(JSON.stringify(body), maxResponseBytes);
      requestContext.memory?.raiseTo(text.length * heldPerCharacter);
      return text;
    }
    await network.settled;
    return answer();
  };
  // a refusal before any node was queried is an answer like any other
  const before = queries.changes;
  const first = { text: await answer(), changes: before };
  context.set({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  context.type = 'text/event-stream; charset=utf-8';
  const body = new PassThrough();
  context.body = body;
  void send(body, first, answer, queries, requestContext.signal!).catch((error: unknown) =>
    body.destroy(error as Error),
  );
};

/** Memory of an answer per character: its values, its text, and the text that waits to be read. */
const heldPerCharacter = 3;

/** The operation is executed repeatedly; each of its queries to a network is audited once. */
const onceForNetworks = (audit: AuditFn): AuditFn => {
  const known = new Set<string>();
  return (question) => {
    const { catalogueId, filters, facetFilters, fields, kind, state } = question;
    const name = JSON.stringify([filters, facetFilters, fields, kind, state]);
    if (catalogueId === null && known.has(name)) return;
    known.add(name);
    audit(question);
  };
};

/** The queries of one request, each sent once however often the operation is executed, and their changes. */
class RunningQueries implements QueriesInFlight {
  readonly #known: { readonly query: unknown; readonly running: QueryInFlight<unknown> }[] = [];
  #running = 0;
  #change = Promise.withResolvers<undefined>();
  #awaited = 0;
  /** The number of changes: an answer during which one occurred may lack it. */
  changes = 0;

  read<Answer>(query: unknown, start: (onChange: () => void) => QueryInFlight<Answer>): Answer {
    const known = this.#known.find((one) => isDeepStrictEqual(one.query, query));
    if (known) return known.running.now() as Answer;
    const running = start(() => this.#changed());
    this.#known.push({ query, running });
    this.#running += 1;
    const ended = (): void => {
      this.#running -= 1;
      this.#changed();
    };
    running.ended.then(ended, ended);
    return running.now();
  }

  /** Whether all queries have ended. */
  get isWhole(): boolean {
    return this.#running === 0;
  }

  /** Resolves with the first change since it last resolved, or when nothing more will change. */
  async next(): Promise<void> {
    if (!this.isWhole && this.changes === this.#awaited) await this.#change.promise;
    this.#awaited = this.changes;
  }

  /** Resolves when the queries so far have ended; never rejects. */
  get ended(): Promise<unknown> {
    return Promise.allSettled(this.#known.map(({ running }) => running.ended));
  }

  #changed(): void {
    this.changes += 1;
    this.#change.resolve(undefined);
    this.#change = Promise.withResolvers();
  }
}

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
  queries: RunningQueries,
  signal: AbortSignal,
): Promise<void> => {
  const comments = setInterval(() => body.write(': \n\n'), commentMs);
  const write = async (event: string, text: string): Promise<void> => {
    if (!body.write(`event: ${event}\ndata: ${text}\n\n`)) await once(body, 'drain', { signal });
  };
  try {
    let { text, changes } = first;
    // nodes that ended while the answer was built are not in it
    while ((!queries.isWhole || queries.changes !== changes) && !body.destroyed) {
      if (!queries.isWhole) {
        await write('answer', text);
        const pause = Promise.all([queries.next(), sleep(gapMs, undefined, { signal })]);
        await Promise.race([queries.ended, pause]);
      }
      changes = queries.changes;
      text = await answer();
    }
    await write('done', text);
    body.end();
  } catch (error) {
    if (!signal.aborted) throw error;
    // a client that has disconnected reads no reason
    if (signal.reason instanceof TributaryError)
      body.end(`event: done\ndata: ${timedOut(signal.reason)}\n\n`);
    else body.destroy();
  } finally {
    clearInterval(comments);
  }
};
