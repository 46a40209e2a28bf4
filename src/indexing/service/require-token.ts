import { createHash, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import { TributaryError } from '../../errors/errors.ts';

/** Paths that respond without the token, with less detail. */
const open = new Set(['/health']);

/**
 * Requires the bearer token on every path except /health.
 * @throws TributaryError UNAUTHENTICATED
 */
export const requireToken =
  (token: string | undefined): Koa.Middleware =>
  async (context, next) => {
    if (!open.has(context.path) && !hasToken(context, token))
      throw new TributaryError(
        'UNAUTHENTICATED',
        'the header authorization must hold Bearer and the token of this service (INDEXING_TOKEN)',
      );
    await next();
  };

/** Whether a request has the token; true when none is required. Constant-time. */
export const hasToken = (context: Koa.Context, token: string | undefined): boolean => {
  if (token === undefined) return true;
  const given = /^bearer +(\S+)$/i.exec(context.get('authorization'))?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
