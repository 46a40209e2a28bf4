import type Koa from 'koa';
import type { Logger } from 'pino';
import { asTributaryError, errorCodes, type TributaryError } from '../../errors/errors.ts';

/**
 * The one place where an error becomes a response: `{successful: false, message}` with the status of its code. Unsafe
 * errors are logged and answered without details.
 */
export const answerErrors =
  (log: Logger): Koa.Middleware =>
  async (context, next) => {
    const { method, path } = context;
    try {
      await next();
    } catch (thrown) {
      const error = asTributaryError(thrown);
      const { status } = errorCodes[error.code];
      if (status >= 500) log.error({ method, path, code: error.code, err: error }, 'indexing request failed');
      context.status = status;
      if (status === 401) context.set('www-authenticate', 'Bearer realm="indexing"');
      if (status === 503) context.set('retry-after', '5');
      context.body = refusalBody(error);
    }
    log.debug({ method, path, status: context.status }, 'indexing request');
    context.set('x-content-type-options', 'nosniff');
    if (!context.res.hasHeader('cache-control')) context.set('cache-control', 'no-store');
  };

/** The response body of every refused request of the indexing service. */
export const refusalBody = (
  error: TributaryError,
): { readonly successful: false; readonly message: string } => ({
  successful: false,
  message: errorCodes[error.code].safe ? error.message : 'internal error',
});
