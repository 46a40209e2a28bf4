import { TributaryError } from '../../errors/errors.ts';
import type { Middleware } from './http-context.ts';

/**
 * Refuses a request whose path or host Koa cannot read (`//a@#/x`, `host: a b`): after this, `path` is a string and
 * `URL` a URL, except for a POST, which is described by its body alone.
 * @throws TributaryError BAD_USER_INPUT
 */
export const rejectUnreadableUrl: Middleware = async (context, next) => {
  const isReadable =
    typeof (context.path as unknown) === 'string' &&
    (context.method === 'POST' || context.URL instanceof URL);
  if (!isReadable)
    throw new TributaryError('BAD_USER_INPUT', 'the path or the host of the request cannot be read');
  await next();
};
