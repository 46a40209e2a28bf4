import type { Logger } from 'pino';
import type { Middleware } from './http-context.ts';

/** One log line per request, without its query, body or headers. */
export const logRequests =
  (log: Logger): Middleware =>
  async (context, next) => {
    const startedMs = performance.now();
    context.res.once('close', () => {
      log.debug(
        {
          requestId: context.state.requestId,
          method: context.method,
          path: context.path,
          status: context.status,
          tookMs: Math.round(performance.now() - startedMs),
          ...(context.res.writableFinished ? {} : { aborted: true }),
        },
        'request',
      );
    });
    await next();
  };
