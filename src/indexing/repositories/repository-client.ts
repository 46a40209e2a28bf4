import { isUtf8 } from 'node:buffer';
import { Agent, fetch, type Dispatcher, type Response } from 'undici';
import { invalidConfig, TributaryError } from '../../lib/errors/errors.ts';
import { retryAfterMs, retryBudgetOf, retrying, type Wait } from '../../lib/net/retry.ts';
import type { RepositoryConfig } from './repository.ts';
import { collectBytes } from '../../lib/net/bodies.ts';
import { connectionReason } from '../../lib/net/connection-reason.ts';
import { parseLosslessJson, flawIn } from '../file-import/records/lossless-json.ts';

/** Sends requests to one repository, over connections that are kept alive. */
export interface RepositoryClient {
  /**
   * GET of a path under the base URL. Retries if the server is busy or the connection is lost (five attempts, exponential
   * backoff with full jitter, `retry-after` respected up to a minute, within the budget of the repository).
   * @param segments of the path, not encoded
   * @returns status 200 with JSON, or 400 or 404 with JSON if there is any
   * @throws TributaryError UPSTREAM_FAILED anything else; the signal's reason
   */
  get(
    segments: readonly string[],
    query: Readonly<Record<string, string | number>>,
    signal: AbortSignal,
    attempts?: number,
  ): Promise<RepositoryAnswer>;
}

export interface RepositoryAnswer {
  readonly status: number;
  /** Untrusted; undefined without JSON. */
  readonly body: unknown;
  /** Why a part of the body cannot be loaded unchanged, or null. */
  readonly flawOf: (part: unknown) => string | null;
  /** A part with numbers that a double rounds as numbers; they are texts in the body. null if the body has none. */
  readonly roundedOf: (part: unknown) => unknown;
  /** An error with the request; `what` is the problem with the answer. */
  readonly error: (what: string) => TributaryError;
}

const maxAttempts = 5;
const delays = { firstMs: 250, maxMs: 10_000 };
/** The longest retry-after that is respected. */
const maxRetryAfterMs = 60_000;

/** @throws TributaryError CONFIG_INVALID a base URL or a credential that cannot be sent */
export const openRepositoryClient = (config: RepositoryConfig, wait?: Wait): RepositoryClient => {
  const base = baseOf(config);
  const headers = headersOf(config);
  // each request has a signal that bounds its time
  const dispatcher = new Agent({ keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0 });
  return {
    get: async (segments, query, signal, maxTries = maxAttempts) => {
      const path = pathOf(segments, query);
      const error = (what: string, cause?: unknown): TributaryError =>
        upstreamFailed(config, path, what, cause);
      if (!segments.every(isAddressable))
        throw error(
          'cannot be requested: a name that is empty, one or two dots, or invalid Unicode has no address',
        );
      const request = { url: new URL(base + path), headers, dispatcher, timeoutMs: config.timeoutMs, signal };
      signal.throwIfAborted();
      const { outcome: exchange, attempts } = await retrying(() => sendGet(request), {
        attempts: maxTries,
        delays,
        isTransient: ({ kind }) => kind === 'passing',
        retryAfterMs: (failed) =>
          failed.kind === 'passing' ? Math.min(retryAfterMs(failed.retryAfter) ?? 0, maxRetryAfterMs) : null,
        signal,
        budget: retryBudgetOf(config),
        ...(wait && { wait }),
      });
      if (exchange.kind === 'answered') {
        const { status, body, flawOf, roundedOf } = exchange;
        return { status, body, flawOf, roundedOf, error };
      }
      signal.throwIfAborted();
      if (exchange.kind === 'refused')
        throw error(`${exchange.reason}; JSON with status 200 expected`, exchange.cause);
      const tried = attempts > 1 ? ` (tried ${attempts} times)` : '';
      throw error(exchange.reason + tried, exchange.cause);
    },
  };
};

/** Without a trailing slash; its own path is kept. */
const baseOf = ({ code, baseUrl }: RepositoryConfig): string => {
  const url = URL.parse(baseUrl);
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === '';
  if (!isPlain)
    throw invalidConfig(
      `repository ${code}: its base URL must be an http or https URL without user, password, query and fragment`,
    );
  return url.origin + url.pathname.replace(/\/+$/, '');
};

/** Checked here, since the errors of the library would include the value. */
const headersOf = ({ code, credential }: RepositoryConfig): Readonly<Record<string, string>> => {
  if (credential === undefined) return { accept: 'application/json' };
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(credential.header) || !/^[\x20-\x7e]+$/.test(credential.value))
    throw invalidConfig(
      `repository ${code}: its credential cannot be sent: a header's name, and a value of printable ASCII expected`,
    );
  return { accept: 'application/json', [credential.header]: credential.value };
};

/** URLs resolve `.` and `..` as steps in the path, even if they are encoded. */
const isAddressable = (segment: string): boolean =>
  segment !== '' && segment !== '.' && segment !== '..' && segment.isWellFormed();

const pathOf = (segments: readonly string[], query: Readonly<Record<string, string | number>>): string => {
  const path = segments.map((segment) => `/${encodeURIComponent(segment.toWellFormed())}`).join('');
  const search = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return search === '' ? path : `${path}?${search}`;
};

const upstreamFailed = (
  { code }: RepositoryConfig,
  path: string,
  what: string,
  cause: unknown,
): TributaryError => {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return new TributaryError('UPSTREAM_FAILED', `repository ${code}: GET ${shown} ${what}`, {
    cause,
    details: { repository: code, request: shown },
  });
};

/** The outcome of one request, after redirects. */
export type Exchange =
  | ({ readonly kind: 'answered' } & Pick<RepositoryAnswer, 'status' | 'body' | 'flawOf' | 'roundedOf'>)
  /** Repeating the request would not help. */
  | { readonly kind: 'refused'; readonly reason: string; readonly cause?: unknown }
  /** Possibly temporary: worth another attempt. */
  | {
      readonly kind: 'passing';
      readonly reason: string;
      readonly retryAfter: string | null;
      readonly cause?: unknown;
    };

export interface GetRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const maxRedirects = 3;
/** Statuses whose body names what does not exist. */
const withReason = new Set([400, 404]);

/**
 * Sends one GET. Numbers above 2^53 keep their digits, as strings.
 * @returns an answer with status 200 and its JSON, or with 400 or 404 and its JSON, undefined without any
 * @throws the signal's reason
 */
const sendGet = async (request: GetRequest): Promise<Exchange> => {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = AbortSignal.any([request.signal, timeout]);
  try {
    return await follow(request, signal);
  } catch (error) {
    request.signal.throwIfAborted();
    const reason = timeout.aborted
      ? `did not answer within ${request.timeoutMs} ms`
      : `cannot be fetched: ${connectionReason(error)}`;
    return { kind: 'passing', reason, retryAfter: null, cause: error };
  }
};

const follow = async (request: GetRequest, signal: AbortSignal): Promise<Exchange> => {
  let { url } = request;
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetch(url, {
      headers: request.headers,
      redirect: 'manual',
      dispatcher: request.dispatcher,
      signal,
    });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return read(response);
    await response.body?.cancel();
    const next = URL.parse(location, url.href);
    // the credential must not be sent to another server
    if (next === null || next.origin !== url.origin)
      return refused(`redirects to ${next?.origin ?? 'no address'}, and only its own host is followed`);
    if (redirects === maxRedirects) return refused(`redirects more than ${maxRedirects} times`);
    url = next;
  }
};

const read = async (response: Response): Promise<Exchange> => {
  const { status } = response;
  if (status !== 200 && !withReason.has(status)) {
    await response.body?.cancel();
    return failed(response);
  }
  const type = response.headers.get('content-type') ?? '';
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    await response.body?.cancel();
    return status === 200
      ? refused(`answered ${typeName(type)}`)
      : { kind: 'answered', status, body: undefined, flawOf: () => null, roundedOf: () => null };
  }
  const stream = response.body as AsyncIterable<Uint8Array> | null;
  const bytes = stream === null ? Buffer.alloc(0) : await collectBytes(stream, maxBodyBytes);
  if (bytes === null) return refused('answered with more than 64 MiB: ask for smaller pages');
  if (!isUtf8(bytes)) return refused('answered with text that is not UTF-8');
  try {
    const { value, rounded, repeated } = parseLosslessJson(new TextDecoder().decode(bytes));
    const name = repeated?.get(value);
    if (name !== undefined)
      return refused(
        `answered with an object in which the name ${JSON.stringify(name)} occurs more than once`,
      );
    const twins = twinsOf(value, rounded);
    return {
      kind: 'answered',
      status,
      body: value,
      flawOf: (part) => flawIn(part, repeated),
      roundedOf: (part) => twins.get(part) ?? null,
    };
  } catch (cause) {
    return refused('did not answer with JSON', cause);
  }
};

/** Maps the objects of a value to those at the same places in another value; empty if there is none. */
const twinsOf = (value: unknown, other: unknown, twins = new Map<unknown, unknown>()) => {
  if (typeof value !== 'object' || value === null || typeof other !== 'object' || other === null)
    return twins;
  twins.set(value, other);
  for (const [key, below] of Object.entries(value))
    twinsOf(below, (other as Readonly<Record<string, unknown>>)[key], twins);
  return twins;
};

const failed = (response: Response): Exchange => {
  const { status } = response;
  const reason = `answered HTTP ${status}`;
  if (status >= 500 || status === 408 || status === 425 || status === 429)
    return { kind: 'passing', reason, retryAfter: response.headers.get('retry-after') };
  return refused(status === 401 || status === 403 ? `${reason}: the credential is not accepted` : reason);
};

const refused = (reason: string, cause?: unknown): Exchange => ({ kind: 'refused', reason, cause });

const typeName = (type: string): string =>
  /^[\w.+-]+\/[\w.+-]+/.exec(type)?.[0].slice(0, 60) ?? 'without a content type';

/** The largest answer that is read, in bytes after decompression: 64 MiB. */
const maxBodyBytes = 64 * 1024 * 1024;
