import type Koa from 'koa';
import { TributaryError } from '../../errors/errors.ts';

/**
 * Refuses cross-site requests sent through the browser of someone who can reach this service, recognized by
 * Sec-Fetch-Site or Origin. Without a token, the requested host must also be a name of this machine: another site may
 * point its name here (DNS rebinding), and its pages then pass for this service's own.
 * @throws TributaryError FORBIDDEN
 */
export const rejectCrossSite =
  (token: string | undefined): Koa.Middleware =>
  async (context, next) => {
    const host = context.get('host').toLowerCase();
    if (token === undefined && host !== '' && !isLoopback(host))
      throw new TributaryError(
        'FORBIDDEN',
        'without INDEXING_TOKEN this service answers at localhost and loopback addresses only, not under other names',
      );
    if (!isOwnSite(context.get('sec-fetch-site').toLowerCase(), context.get('origin').toLowerCase(), host))
      throw new TributaryError('FORBIDDEN', 'requests from pages of other sites are not allowed here');
    await next();
  };

/**
 * Sec-Fetch-Site is authoritative; only older browsers omit it, and they send Origin with every request that changes
 * something.
 */
const isOwnSite = (site: string, origin: string, host: string): boolean =>
  site === '' ? origin === '' || URL.parse(origin)?.host === host : site === 'same-origin' || site === 'none';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

const isLoopback = (host: string): boolean => loopback.test(host);
