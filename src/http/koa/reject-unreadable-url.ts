import { TributaryError } from '../../errors.ts';
import type { Middleware } from './request-context.ts';

/**
 * Refuses a request whose path or host Koa cannot read (`//a@#/x`, `host: a b`): behind this, `path` is text and, but for
 * a POST, whose body says everything, `URL` is a URL.
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
