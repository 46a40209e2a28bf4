import koaCors from '@koa/cors';
import { TributaryError } from '../../errors/errors.ts';
import type { Middleware, HttpContext } from './http-context.ts';
import type { HttpSettings } from './settings.ts';

const exposed = [
  'x-request-id',
  'x-total-count',
  'x-truncated',
  'content-disposition',
  'retry-after',
  'tributary-manifest',
];

/** Which origins may use this server. */
export type Origins = Pick<HttpSettings, 'allowedOrigins' | 'publicOrigin'>;

/** Sets the CORS header: any origin, or the request's own origin if it is on the list. */
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
 * With a list, a request from any other origin is refused on every route. Requests without an origin do not come from a
 * page, and this server's own origin is allowed. The latter is never derived from the request: with DNS rebinding, a
 * foreign name is in `Host` as well as in `Origin`.
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

/** Names by which every machine reaches itself; nobody else can claim them. */
const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const isThisMachine = (origin: string, { req }: HttpContext): boolean => {
  const port = req.socket.localPort;
  return loopback.some((host) => origin === `http://${host}${port === 80 ? '' : `:${port}`}`);
};
