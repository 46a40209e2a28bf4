import type Koa from 'koa';
import { TributaryError } from '../../../lib/errors/errors.ts';
import type { Allowance } from '../../../engines/allowance.ts';
import { timeLeftMs } from '../../../federation/remote/node-statements.ts';
import type { HeldMemory, MemoryAccount } from '../../../lib/runtime/memory-account.ts';
import { RequestContext, Trace, type Caller, type CallerAccess } from '../../../search/request-context.ts';
import { arrivedMsOf, auditOf, charged, noteSearch, spanOf } from './request-record.ts';

/**
 * State that every request has from the start.
 * @example import type { RequestState } from 'tributary';
 *
 * const nameOf = ({ requestId, subject }: RequestState): string => `${subject ?? 'anonymous'} (${requestId})`;
 */
export interface RequestState {
  requestId: string;
  /** Subject of this request's verified token; absent without one. */
  subject?: string;
}

/**
 * A Koa request context.
 * @example
 * import type { RequestContext } from 'tributary';
 *
 * const clubOf = (context: RequestContext): string => context.get('x-club');
 */
export type HttpContext = Koa.ParameterizedContext<RequestState>;
export type Middleware = Koa.Middleware<RequestState>;

/** By request: cannot be set by a client. */
const hubs = new WeakMap<object, string>();

/** Records that a request came through the tunnel to a hub. @param hub its name in hubs.json */
export const noteHub = (request: object, hub: string): void => void hubs.set(request, hub);

/** The hub through whose tunnel a request came; undefined: none. */
export const hubOf = ({ req }: Pick<HttpContext, 'req'>): string | undefined => hubs.get(req);

/** By context: out of reach of the application that the routes are mounted in. */
const callers = new WeakMap<HttpContext, CarriedCaller>();

/** What a caller may see and learn, and the name by which nodes of networks tell them from others. */
type CarriedCaller = CallerAccess & Pick<Caller, 'nameFor'>;

/** Every request carries what its caller may see and learn, so that no route can forget to check it. */
export const carryCaller =
  (of: (context: HttpContext) => CarriedCaller): Middleware =>
  async (context, next) => {
    callers.set(context, of(context));
    await next();
  };

export const carriedCaller = (context: HttpContext): CarriedCaller => {
  const caller = callers.get(context);
  if (caller === undefined) throw new Error('the route was added before carryCaller');
  return caller;
};

const memories = new WeakMap<object, HeldMemory>();

/** Every request has an account of the memory that it holds, until it is answered or its connection is closed. */
export const accountMemory =
  (account: MemoryAccount, callerOf: (context: HttpContext) => string): Middleware =>
  async (context, next) => {
    const { req, res } = context;
    const held = account.open({
      caller: callerOf(context),
      isStalled: () => !req.complete || res.writableNeedDrain,
      drop: () => res.destroy(),
    });
    memories.set(context, held);
    // each time, the client has read at least a stream's write-ahead buffer
    res.on('drain', () => held.onProgress(res.writableHighWaterMark));
    res.once('close', held.end);
    await next();
  };

/** The memory that a request holds; undefined without `accountMemory`. */
export const memoryOf = (context: object): HeldMemory | undefined => memories.get(context);

/** When the sender of a request stops waiting for its answer, on the clock of performance.now(); undefined: it does not say. */
export const dueAtMsOf = (context: HttpContext): number | undefined => {
  const leftMs = timeLeftMs(context.headers);
  return leftMs === undefined ? undefined : arrivedMsOf(context) + leftMs;
};

/** How much a request may query. */
interface RequestLimits {
  readonly allowance: Allowance;
  readonly timeoutMs?: number | undefined;
}

/**
 * The context that the queries of a request run under. Its signal is aborted when the connection closes before the
 * response is sent, and with an error of this server on timeout or when there is no memory for its answer.
 * @param limits.timeoutMs the time for all work of the request, from now on; unset: no limit
 */
export const requestContextOf = (
  context: HttpContext,
  { allowance, timeoutMs }: RequestLimits,
): RequestContext => {
  const ended = new AbortController();
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(() => ended.abort(tooLong(timeoutMs)), timeoutMs);
  context.res.once('close', () => {
    clearTimeout(timer);
    if (!context.res.writableFinished) ended.abort();
  });
  const held = memoryOf(context);
  return new RequestContext({
    requestId: context.state.requestId,
    caller: {
      headers: headersOf(context),
      ...carriedCaller(context),
      subject: () => context.state.subject,
    },
    trace: new Trace(),
    signal: ended.signal,
    dueAtMs: dueAtMsOf(context),
    memory: held && orAborting(held, ended),
    allowance: charged(context, allowance),
    observer: {
      hasLeft: () => context.res.destroyed || (context.res.closed && !context.res.writableFinished),
      onQuestion: auditOf(context),
      onSearched: (times) => noteSearch(context, times),
    },
    span: spanOf(context),
  });
};

/** Other allocations of the request would find no memory either. */
const orAborting = (held: HeldMemory, ended: AbortController): RequestContext['memory'] => ({
  ...held,
  add: (bytes) => {
    try {
      held.add(bytes);
    } catch (error) {
      ended.abort(error);
      throw error;
    }
  },
});

const headersOf = ({ headers }: HttpContext): Readonly<Record<string, string>> => {
  const texts: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    texts[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  return texts;
};

const tooLong = (timeoutMs: number): TributaryError =>
  new TributaryError(
    'ENGINE_TIMEOUT',
    `the request took longer than the ${timeoutMs} ms allowed: ask for less at a time`,
  );

/** The error for every path without a route. */
export const nothingAt = (path: string): TributaryError =>
  new TributaryError('NOT_FOUND', `there is nothing at ${path}: GET /introspection lists what is here`);

/** The error for a method that a route does not have; sets the header `allow`. @param methods the methods that it has */
export const methodNotAllowed = (
  context: HttpContext,
  ...methods: readonly ('GET' | 'POST')[]
): TributaryError => {
  context.set('allow', [...methods, 'OPTIONS'].join(', '));
  const expected = `${methods.join(' or ')} expected`;
  return new TributaryError('METHOD_NOT_ALLOWED', `${context.method} is not allowed here: ${expected}`);
};

/** The origin under which clients reach this server; if not configured, from the request's Host. */
export const originOf = (
  { protocol, host }: HttpContext,
  { publicOrigin }: { readonly publicOrigin: string | null },
): string => publicOrigin ?? `${protocol}://${host}`;
