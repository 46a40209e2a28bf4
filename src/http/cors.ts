import koaCors from '@koa/cors';
import { TributaryError } from '../errors.ts';
import type { Middleware, RequestContext } from './request-context.ts';

const exposed = ['x-request-id', 'x-total-count', 'x-truncated', 'content-disposition', 'retry-after'];

/** Names the origins that may read answers: all, or those on the list, to which each is echoed. */
export const allowOrigins = (allowed: readonly string[] | null): Middleware =>
  koaCors({
    exposeHeaders: exposed,
    origin: (context) => {
      if (allowed === null) return '*';
      const origin = context.get('origin');
      return allowed.includes(origin.toLowerCase()) ? origin : '';
    },
  }) as Middleware;

/**
 * With a list, a request from any other origin is refused on every route. A request without an origin comes from no
 * page, and one from a page of this very server is not from another origin.
 * @throws TributaryError FORBIDDEN
 */
export const refuseOtherOrigins =
  (allowed: readonly string[] | null): Middleware =>
  async (context, next) => {
    const origin = context.get('origin').toLowerCase();
    if (allowed !== null && origin !== '' && !allowed.includes(origin) && !isOwn(origin, context))
      throw new TributaryError('FORBIDDEN', 'requests from this origin are not allowed here');
    await next();
  };

const isOwn = (origin: string, context: RequestContext): boolean =>
  URL.parse(origin)?.host === context.get('host').toLowerCase();
