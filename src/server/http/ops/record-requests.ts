import type { Logger } from 'pino';
import { addressClass, addressOf } from '../callers/caller-name.ts';
import { hubOf, type HttpContext, type Middleware } from '../koa/http-context.ts';
import {
  arrivedMsOf,
  beginRecord,
  doorOf,
  operationsOf,
  questionsOf,
  routeOf,
  spanOf,
  traceIdOfRequest,
  carryAudit,
} from '../koa/request-record.ts';
import type { Trail } from '../../../search/audited-search.ts';
import type { HttpSettings } from '../koa/settings.ts';
import type { EndedRequest, Metrics, Refusal } from './metrics.ts';
import { endSpan, startRequestSpan } from '../../../lib/runtime/tracing.ts';
import type { AuditFn, AuditedQuestion } from '../../../search/request-context.ts';
import { printSqon } from '../../../sqon/parse.ts';

export interface RecordingParts {
  readonly log: Logger;
  readonly settings: Pick<HttpSettings, 'pingPath' | 'readyPath'>;
  /** Unset: nothing is counted. */
  readonly metrics?: Pick<Metrics, 'requestStarted' | 'requestEnded'> | undefined;
}

/**
 * Records each request once: its log line, its metrics and its span are written from one record when its connection has
 * sent the response. No query, body or headers; probes and metrics have no span, and their lines are at `debug`.
 */
export const recordRequests = ({ log, settings, metrics }: RecordingParts): Middleware => {
  const countRefusal = refusalLog(log);
  return async (context, next) => {
    const isProbe = [settings.pingPath, settings.readyPath, '/metrics'].includes(context.path);
    beginRecord(context, isProbe ? undefined : startRequestSpan(context.method, context.headers));
    // a request whose connection was destroyed has no socket any more
    const { socket } = context.req;
    const sentBytes = socket.bytesWritten;
    metrics?.requestStarted();
    context.res.once('close', () => {
      const ended = endedRequest(context, performance.now() - arrivedMsOf(context));
      // the connection of a tunnel carries other answers at the same time
      const bytes = hubOf(context) === undefined ? socket.bytesWritten - sentBytes : undefined;
      log[isProbe ? 'debug' : 'info'](logLine(context, ended, bytes), 'request');
      countRefusal(ended.refusal);
      metrics?.requestEnded(ended);
      endRequestSpan(context, ended);
    });
    await next();
  };
};

const endedRequest = (context: HttpContext, tookMs: number): EndedRequest => ({
  ...{ route: routeOf(context), status: context.status, tookMs },
  refusal: refusalOf(context),
  operations: operationsOf(context),
});

/** Undefined values are not written. */
const logLine = (
  context: HttpContext,
  { route, status, tookMs }: EndedRequest,
  bytes: number | undefined,
) => ({
  requestId: context.state.requestId,
  ...{ method: context.method, path: context.path, route },
  door: doorOf(context),
  trace_id: traceIdOfRequest(context),
  ...questionsOf(context),
  ...{ status, tookMs: Math.round(tookMs), bytes },
  ...(context.res.writableFinished ? {} : { aborted: true }),
});

const endRequestSpan = (context: HttpContext, { route, status }: EndedRequest): void => {
  const span = spanOf(context);
  if (span?.isRecording() !== true) return;
  const { method } = context;
  const { state, cost, nodes } = questionsOf(context) ?? { state: 'ok' };
  if (route !== undefined) span.updateName(`${method} ${route}`);
  endSpan(span, status >= 500 ? String(state) : null, {
    ...{ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
    ...{ 'tributary.door': doorOf(context), 'tributary.request_id': context.state.requestId },
    ...{ 'tributary.state': state, 'tributary.cost': cost, 'tributary.nodes': nodes },
  });
};

/** Why an answered request was turned away; null if it was not. */
const refusalOf = (context: HttpContext): Refusal | null => {
  if (context.status === 503 && questionsOf(context)?.state === 'NOT_READY') return 'busy';
  return context.status === 401 && /^bearer /i.test(context.get('authorization')) ? 'token' : null;
};

const minuteMs = 60_000;

/** Counts refusals, and logs once a minute how many there were. */
export const refusalLog = (
  log: Pick<Logger, 'info'>,
  everyMs = minuteMs,
): ((refusal: Refusal | null) => void) => {
  const counts = { token: 0, busy: 0 };
  let timer: NodeJS.Timeout | null = null;
  const write = (): void => {
    log.info({ refusedTokens: counts.token, refusedAsBusy: counts.busy }, 'requests refused');
    [counts.token, counts.busy, timer] = [0, 0, null];
  };
  return (refusal) => {
    if (refusal === null) return;
    counts[refusal] += 1;
    timer ??= setTimeout(write, everyMs).unref();
  };
};

/** The trail that queries are written to. */
export interface AuditParts {
  readonly trail: Trail;
  /** Replaces filters by a MAC; null: they are written in full. */
  readonly queryMac: (query: string) => string;
}

/**
 * Writes a line for each query that a request makes, before its answer leaves: who queried what, never the answer nor a
 * token. The keys are those of the Elastic Common Schema where it has some.
 */
export const auditQuestions =
  (audit: { readonly parts: AuditParts | null } | undefined, trustedProxies: number): Middleware =>
  async (context, next) => {
    const parts = audit?.parts ?? null;
    carryAudit(context, parts && writer(context, parts, trustedProxies));
    await next();
  };

const writer = (context: HttpContext, { trail, queryMac }: AuditParts, trustedProxies: number): AuditFn => {
  // read at once, since a connection that closes meanwhile has no address
  const address = addressOf(context, trustedProxies);
  return (question) => {
    const { kind, state, rows, tookMs, catalogueId, tier, network, nodes, fields } = question;
    const query = queryOf(question);
    const isHub = context.get('tributary-node') === '1';
    // undefined values are left out of the line
    trail.write({
      'event.action': kind,
      'event.outcome': state === 'ok' ? 'success' : 'failure',
      'error.code': state === 'ok' ? undefined : state,
      'tributary.rows': rows,
      'event.duration': Math.round(tookMs * 1e6),
      ...userOf(context),
      'client.class': hubOf(context) === undefined ? addressClass(address) : 'tunnel',
      'tributary.tunnel': hubOf(context),
      'http.request.id': context.state.requestId,
      'tributary.hub': isHub ? context.get('tributary-path').slice(0, 500) : undefined,
      'tributary.hub_request_id': isHub ? context.get('x-request-id').slice(0, 128) : undefined,
      'tributary.catalogue': catalogueId ?? undefined,
      'tributary.tier': catalogueId === null ? undefined : (tier ?? null),
      'tributary.network': network ?? undefined,
      'tributary.nodes':
        network === null ? undefined : nodes.map((node) => ({ id: node.nodeId, state: node.state })),
      'tributary.door': doorOf(context) ?? 'other',
      'tributary.query': queryMac(query),
      // some are names as the client wrote them
      'tributary.fields': fields.map((field) => field.slice(0, 200)),
    });
  };
};

/** The filter as text; equal filters give equal texts. */
const queryOf = ({ filters, facetFilters = [], document }: AuditedQuestion): string => {
  if (document !== undefined) return document;
  const printed = printSqon(filters);
  return JSON.stringify(facetFilters.length === 0 ? printed : [printed, ...facetFilters.map(printSqon)]);
};

const userOf = ({ state: { subject } }: HttpContext) => {
  if (subject === undefined) return undefined;
  const [issuer, id] = JSON.parse(subject) as (string | null)[];
  return id == null ? undefined : { 'user.issuer': issuer ?? null, 'user.id': id };
};
