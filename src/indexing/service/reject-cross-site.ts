import type Koa from 'koa';
import { TributaryError } from '../../errors.ts';

/**
 * Refuses what a page of another site sends through the browser of someone who may reach this service. Browsers say so
 * in Sec-Fetch-Site or Origin. Without a token, the host that is asked for must be a name of this machine's own
 * too: another site may have its name point here (DNS rebinding), and its pages then pass for this service's own.
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

/** The browser's own word counts; only older ones leave it out, and then send an origin with whatever changes something. */
const isOwnSite = (site: string, origin: string, host: string): boolean =>
  site === '' ? origin === '' || URL.parse(origin)?.host === host : site === 'same-origin' || site === 'none';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

const isLoopback = (host: string): boolean => loopback.test(host);
