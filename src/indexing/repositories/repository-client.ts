import { Agent } from 'undici';
import { TributaryError } from '../../errors/errors.ts';
import { retryAfterMs } from '../../net/retry-after.ts';
import type { Wait } from '../../net/retry.ts';
import { retryBudgetOf, retrying } from '../../net/retry.ts';
import type { RepositoryConfig } from './repository.ts';
import { sendGet } from './send-get.ts';

/** Asks one repository, over connections that are kept alive. */
export interface RepositoryClient {
  /**
   * GET of a path under the base URL. Busy servers and lost connections are tried again (five attempts, exponential
   * backoff with full jitter, `retry-after` heeded up to a minute, within the budget of the repository).
   * @param segments of the path, not encoded
   * @returns status 200 with JSON, or 400 or 404 with JSON if it came
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
  /** An error that says what was asked and `what` is wrong with the answer. */
  readonly error: (what: string, cause?: unknown) => TributaryError;
}

const maxAttempts = 5;
const delays = { firstMs: 250, maxMs: 10_000 };
/** A repository that asks for more is not waited for longer. */
const maxRetryAfterMs = 60_000;

/** @throws TributaryError CONFIG_INVALID a base URL or a credential that cannot be sent */
export const openRepositoryClient = (config: RepositoryConfig, wait?: Wait): RepositoryClient => {
  const base = baseOf(config);
  const headers = headersOf(config);
  // the time of each request is bounded by its own signal
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
      if (exchange.kind === 'answered') return { status: exchange.status, body: exchange.body, error };
      signal.throwIfAborted();
      if (exchange.kind === 'refused') throw error(`${exchange.reason}; JSON with status 200 expected`, exchange.cause); // prettier-ignore
      const tried = attempts > 1 ? ` (tried ${attempts} times)` : '';
      throw error(exchange.reason + tried, exchange.cause);
    },
  };
};

/** Without a slash at the end, its own path kept. */
const baseOf = ({ code, baseUrl }: RepositoryConfig): string => {
  const url = URL.parse(baseUrl);
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === '';
  if (!isPlain)
    throw new TributaryError(
      'CONFIG_INVALID',
      `repository ${code}: its base URL must be an http or https URL without user, password, query and fragment`,
    );
  return url.origin + url.pathname.replace(/\/+$/, '');
};

/** The errors of the library would repeat the value, so it is checked here. */
const headersOf = ({ code, credential }: RepositoryConfig): Readonly<Record<string, string>> => {
  if (credential === undefined) return { accept: 'application/json' };
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(credential.header) || !/^[\x20-\x7e]+$/.test(credential.value))
    throw new TributaryError(
      'CONFIG_INVALID',
      `repository ${code}: its credential cannot be sent: a header's name, and a value of printable ASCII expected`,
    );
  return { accept: 'application/json', [credential.header]: credential.value };
};

/** URLs take `.` and `..` for steps in the path, also when they are encoded. */
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
  const asked = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return new TributaryError('UPSTREAM_FAILED', `repository ${code}: GET ${asked} ${what}`, {
    cause,
    details: { repository: code, request: asked },
  });
};
