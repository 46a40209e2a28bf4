import type { Logger } from 'pino';
import { endSpan, startRequestSpan } from '../../runtime/tracing.ts';
import { hubOf, type HttpContext, type Middleware } from '../koa/http-context.ts';
import {
  beginRecord,
  doorOf,
  operationsOf,
  questionsOf,
  routeOf,
  spanOf,
  traceIdOfRequest,
} from '../koa/request-record.ts';
import type { HttpSettings } from '../koa/settings.ts';
import type { EndedRequest, Metrics, Refusal } from './metrics.ts';

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
    const startedMs = performance.now();
    const isProbe = [settings.pingPath, settings.readyPath, '/metrics'].includes(context.path);
    beginRecord(context, isProbe ? undefined : startRequestSpan(context.method, context.headers));
    // a request whose connection was destroyed has no socket any more
    const { socket } = context.req;
    const sentBytes = socket.bytesWritten;
    metrics?.requestStarted();
    context.res.once('close', () => {
      const ended = endedRequest(context, performance.now() - startedMs);
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
