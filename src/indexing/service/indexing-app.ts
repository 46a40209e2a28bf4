import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import { TributaryError, asTributaryError, errorCodes } from '../../lib/errors/errors.ts';
import type { JobQueue } from '../jobs/job.ts';
import { addApiPage } from './api-page.ts';
import { rejectUnreadableUrl, rejectCrossSite, requireToken } from './request-checks.ts';
import { addRoutes } from './routes.ts';

export interface IndexingParts {
  readonly jobs: JobQueue;
  /** The required bearer token, read for each request; without one, only this machine may be able to reach the service. */
  readonly token: string | undefined;
  readonly log: Logger;
  /** Steps that send object bodies of responses within limits; without them, Koa sends them. */
  readonly answers?: readonly Koa.Middleware[];
}

/**
 * The HTTP edge of the jobs. Its API document and page are public; the rest requires the token and is never available
 * to pages of other sites.
 */
export const createIndexingApp = (parts: IndexingParts): Koa => {
  const { token, log, answers = [] } = parts;
  const documentation = addApiPage(new Router(), { token });
  const service = new Router();
  addRoutes(service, parts);
  const app = new Koa();
  app.on('error', (error: unknown) => log.debug({ err: error }, 'connection failed'));
  app.use(answerErrors(log));
  for (const step of answers) app.use(step);
  app.use(rejectUnreadableUrl);
  app.use(documentation.routes());
  app.use(rejectCrossSite(token));
  app.use(requireToken(() => parts.token));
  app.use(service.routes());
  app.use(answerElsewhere([documentation, service]));
  return app;
};

/** @throws TributaryError METHOD_NOT_ALLOWED for a path with other methods, with the Allow header; NOT_FOUND */
const answerElsewhere =
  (routers: readonly Router[]): Koa.Middleware =>
  (context) => {
    const layers = routers.flatMap((router) => router.match(context.path, context.method).path);
    const methods = new Set(layers.flatMap((layer) => layer.methods));
    if (methods.size === 0)
      throw new TributaryError(
        'NOT_FOUND',
        `there is nothing at ${context.path}: /api-docs describes what is here`,
      );
    context.set('allow', [...methods, 'OPTIONS'].join(', '));
    if (context.method === 'OPTIONS') context.status = 204;
    else
      throw new TributaryError(
        'METHOD_NOT_ALLOWED',
        `${context.method} is not allowed for this path: ${[...methods].join(' or ')} expected`,
      );
  };

/**
 * The one place where an error becomes a response: `{successful: false, message}` with the status of its code. Unsafe
 * errors are logged and answered without details.
 */
const answerErrors =
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
