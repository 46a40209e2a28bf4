import type { Logger } from 'pino';
import { asTributaryError, errorCodes, TributaryError, type ErrorCode } from '../../errors/errors.ts';
import type { Middleware, HttpContext } from './http-context.ts';

/**
 * The one place where an error becomes a REST response: `{error: {code, message, details?}}` with the status of its
 * code. Foreign errors are logged with the request id and answered without details.
 */
export const respondToErrors =
  (log: Logger): Middleware =>
  async (context, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = asTributaryError(fromHttpError(thrown));
      logError(log, error, context);
      context.status = errorCodes[error.code].status;
      if (context.status === 503) context.set('retry-after', '1');
      if (context.status === 401) context.set('www-authenticate', 'Bearer');
      context.body = { error: errorBody(error) };
    }
  };

/** What a caller may see of an error. */
export const errorBody = (error: TributaryError) => {
  if (!errorCodes[error.code].safe) return { code: error.code, message: 'internal error' };
  return {
    code: error.code,
    message: error.message,
    ...(error.details === undefined ? {} : { details: error.details }),
  };
};

/** Only server-side errors are logged, with their cause. */
const logError = (log: Logger, error: TributaryError, context: HttpContext): void => {
  if (errorCodes[error.code].status < 500) return;
  log.error(
    {
      requestId: context.state.requestId,
      code: error.code,
      err: error,
      method: context.method,
      path: context.path,
    },
    'request failed',
  );
};

const ofStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'BAD_USER_INPUT',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/** Koa and its router throw errors with a status, for example for a path that cannot be decoded. */
const fromHttpError = (thrown: unknown): unknown => {
  if (!(thrown instanceof Error) || thrown instanceof TributaryError || !('status' in thrown)) return thrown;
  const code = ofStatus[Number(thrown.status)];
  return code === undefined ? thrown : new TributaryError(code, 'malformed request', { cause: thrown });
};
