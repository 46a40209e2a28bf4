import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { ErrorCode } from '../../../lib/errors/errors.ts';
import { asTributaryError, badUserInput, errorCodes, TributaryError } from '../../../lib/errors/errors.ts';
import type { Middleware, HttpContext } from './http-context.ts';
import { noteError } from './request-record.ts';
import koaCors from '@koa/cors';
import { showNotFound } from './not-found-page.ts';
import type { HttpSettings, PortalLook } from './settings.ts';

const sane = /^[\w.:-]{1,128}$/;

/** Sets the request id: the client's x-request-id if it is safe, else a new one; the response repeats it. */
export const nameRequest: Middleware = async (context, next) => {
  const sent = context.get('x-request-id');
  context.state.requestId = sane.test(sent) ? sent : randomUUID();
  context.set('x-request-id', context.state.requestId);
  // several observers listen for the end of a response: more than Node.js expects, but no leak
  context.res.setMaxListeners(32);
  await next();
};

const exposed = [
  'x-request-id',
  'x-total-count',
  'x-truncated',
  'content-disposition',
  'retry-after',
  'www-authenticate',
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

/** Names by which every machine reaches itself; no other host can claim them. */
const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const isThisMachine = (origin: string, { req }: HttpContext): boolean => {
  const port = req.socket.localPort;
  return loopback.some((host) => origin === `http://${host}${port === 80 ? '' : `:${port}`}`);
};

/**
 * Refuses a request whose path or host Koa cannot read (`//a@#/x`, `host: a b`): after this, `path` is a string and
 * `URL` a URL, except for a POST, which is described by its body alone.
 * @throws TributaryError BAD_USER_INPUT
 */
export const rejectUnreadableUrl: Middleware = async (context, next) => {
  const isReadable =
    typeof (context.path as unknown) === 'string' &&
    (context.method === 'POST' || context.URL instanceof URL);
  if (!isReadable) throw badUserInput('the path or the host of the request cannot be read');
  await next();
};

/**
 * The one place where an error becomes a REST response: `{error: {code, message, details?}}` with the status of its code.
 * Unknown errors are logged with the request id and answered without details.
 * @param look the current look of the portal's pages; null: this server has no portal
 */
export const respondToErrors =
  (log: Logger, look: () => PortalLook | null = () => null): Middleware =>
  async (context, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = asTributaryError(fromHttpError(thrown));
      logError(log, error, context);
      noteError(context, error.code);
      context.status = errorCodes[error.code].status;
      if (context.status === 503) context.set('retry-after', retryAfter(error));
      if (error.code === 'NOT_FOUND' && isNavigation(context)) showNotFound(context, error.message, look());
      else
        context.body = describers.get(context)?.(errorBody(error), context.status) ?? {
          error: errorBody(error),
        };
    }
  };

const describers = new WeakMap<object, DescribeError>();

/** The body of an error in a door's own form. @param status the HTTP status */
export type DescribeError = (error: ReturnType<typeof errorBody>, status: number) => unknown;

/** Sets a custom form for the errors of this request. */
export const describeErrors = (context: HttpContext, describe: DescribeError): void =>
  void describers.set(context, describe);

/** Whether a browser requests a page, rather than a program that accepts anything. */
export const wantsHtml = (context: HttpContext): boolean => /\btext\/html\b/i.test(context.get('accept'));

const isNavigation = (context: HttpContext): boolean =>
  (context.method === 'GET' || context.method === 'HEAD') && wantsHtml(context);

/** The seconds to wait after a 503: as the error states, else one. */
export const retryAfter = ({ details }: TributaryError): string => {
  const seconds = details?.['retryAfterSeconds'];
  return typeof seconds === 'number' ? String(seconds) : '1';
};

/** The part of an error that a caller may see. */
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
  log[failureLevel(log, error)](
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

const minuteMs = 60_000;
const loggedMs = new WeakMap<Logger, Map<ErrorCode, number>>();

/**
 * The log level of a failed request. Every unexpected failure is logged as an error. The others, whose reason the caller
 * is shown, are logged once a minute for each code: callers could fill the log while an engine or a network is
 * unavailable.
 */
export const failureLevel = (log: Logger, { code }: Pick<TributaryError, 'code'>): 'error' | 'debug' => {
  if (!errorCodes[code].safe) return 'error';
  const ofLog = loggedMs.get(log) ?? new Map<ErrorCode, number>();
  loggedMs.set(log, ofLog);
  const nowMs = performance.now();
  if (nowMs - (ofLog.get(code) ?? -Infinity) < minuteMs) return 'debug';
  ofLog.set(code, nowMs);
  return 'error';
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
