import koaCors from '@koa/cors';
import { TributaryError } from '../../errors.ts';
import type { Middleware, RequestContext } from './request-context.ts';
import type { HttpSettings } from './settings.ts';

const exposed = [
  'x-request-id',
  'x-total-count',
  'x-truncated',
  'content-disposition',
  'retry-after',
  'tributary-manifest',
];

/** Whose pages may use this server. */
export type Origins = Pick<HttpSettings, 'allowedOrigins' | 'publicOrigin'>;

/** Names the origins that may read answers: all, or those on the list, to which each is echoed. */
export const allowOrigins = (origins: Origins): Middleware =>
  koaCors({
    exposeHeaders: exposed,
    origin: (context) => {
      if (origins.allowedOrigins === null) return '*';
      const origin = context.get('origin');
      return isListed(origin.toLowerCase(), origins) ? origin : '';
    },
  }) as Middleware;

/**
 * With a list, a request from any other origin is refused on every route. A request without an origin comes from no
 * page, and one from a page of this very server is not from another origin. Which that is, is never read from the
 * request: a name of someone else's that points here stands in its `Host` as in its `Origin`.
 * @throws TributaryError FORBIDDEN
 */
export const rejectOtherOrigins =
  (origins: Origins): Middleware =>
  async (context, next) => {
    const origin = context.get('origin').toLowerCase();
    const isRefused =
      origins.allowedOrigins !== null &&
      origin !== '' &&
      !isListed(origin, origins) &&
      !(origins.publicOrigin === null && isThisMachine(origin, context));
    if (isRefused) throw new TributaryError('FORBIDDEN', 'requests from this origin are not allowed here');
    await next();
  };

const isListed = (origin: string, { allowedOrigins, publicOrigin }: Origins): boolean =>
  origin === publicOrigin || allowedOrigins?.includes(origin) === true;

/** The names of every machine for itself, which nobody else can have. */
const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const isThisMachine = (origin: string, { req }: RequestContext): boolean => {
  const port = req.socket.localPort;
  return loopback.some((host) => origin === `http://${host}${port === 80 ? '' : `:${port}`}`);
};
