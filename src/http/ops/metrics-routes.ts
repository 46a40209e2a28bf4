import { createHash, timingSafeEqual } from 'node:crypto';
import { TributaryError } from '../../errors/errors.ts';
import type { Metrics } from './metrics.ts';
import type { Middleware, HttpContext } from '../koa/http-context.ts';

/**
 * GET /metrics, for the operator's collector only, as it reveals traffic.
 * @param token the required bearer token
 * @throws TributaryError UNAUTHENTICATED
 */
export const showMetrics = async (context: HttpContext, metrics: Metrics, token: string): Promise<void> => {
  const given = /^Bearer +(\S+)$/i.exec(context.get('authorization'))?.[1] ?? '';
  if (!timingSafeEqual(digest(given), digest(token)))
    throw new TributaryError('UNAUTHENTICATED', 'the bearer token of METRICS_TOKEN is needed');
  context.set('cache-control', 'no-store');
  context.set('content-type', metrics.contentType);
  context.body = await metrics.text();
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Measures every request by its route; unknown paths must not become labels. */
export const measureRequests =
  (metrics: Metrics): Middleware =>
  async (context, next) => {
    const startedMs = performance.now();
    context.res.once('close', () => {
      const { _matchedRoute: route } = context as { _matchedRoute?: unknown };
      const known = typeof route === 'string' ? route.replace('{/*tag}', '') : 'other';
      metrics.requestEnded(known, context.status, performance.now() - startedMs);
    });
    await next();
  };
