import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { unzip } from 'node:zlib';
import { Pool, type Dispatcher } from 'undici';
import { unlessAborted } from '../../../concurrency/abort-listener.ts';
import { invalidConfig } from '../../../errors/errors.ts';
import type { JsonObject, JsonValue } from '../../../json/json.ts';
import { readJson } from '../../../json/read-json.ts';
import type { ClusterSettings } from '../cluster-settings.ts';

/** One request to a search server. */
export interface ClusterRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  /** The lines of newline-delimited JSON, instead of `body`. */
  readonly lines?: readonly string[];
}

/** Any response from the server, whatever its status. */
export interface ClusterAnswer {
  readonly status: number;
  /** JSON as a value, anything else as text. */
  readonly body: JsonValue;
  /** The header, unparsed. */
  readonly retryAfter?: string | undefined;
}

/** Why there is no response. */
export type NoAnswerReason = 'timeout' | 'connection' | 'certificate' | 'unreadable';

/** There was no response. */
export class NoAnswer extends Error {
  readonly reason: NoAnswerReason;

  constructor(reason: NoAnswerReason, cause: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** Connections to the servers of a cluster. */
export interface Transport {
  /**
   * Sends a request once, to each server in turn.
   * @param signal the only deadline and cancellation of the request
   * @throws NoAnswer
   */
  send(request: ClusterRequest, signal: AbortSignal): Promise<ClusterAnswer>;
  close(): Promise<void>;
}

/** How long an idle connection is kept open. */
const keepAliveMs = 600_000;
/** How long an unreachable server is skipped, where there are others. */
const avoidMs = 60_000;

interface Server {
  readonly pool: Pool;
  /** The path of its address, a prefix of request paths. */
  readonly path: string;
  /** Computed for each request: the credentials may be exchanged while the server runs. */
  readonly authorization: () => string | undefined;
  avoidedUntilMs: number;
}

/**
 * Opens the connections; none is made before the first request.
 * @throws TributaryError CONFIG_INVALID when the certificate file cannot be read
 */
export const clusterTransport = (settings: ClusterSettings): Transport => {
  const ca = trustedCertificates(settings);
  const servers = addressesOf(settings).map((address) => serverAt(new URL(address), settings, ca));
  let turn = 0;
  const nextServer = (): Server => {
    const reachable = servers.filter(({ avoidedUntilMs }) => avoidedUntilMs < performance.now());
    const some = reachable.length > 0 ? reachable : servers;
    return some[turn++ % some.length]!;
  };
  return {
    send: async (request, signal) => {
      const server = nextServer();
      try {
        // undici only notices an abort once connected
        return await unlessAborted(exchange(server, request, signal), signal, timedOut);
      } catch (error) {
        if (error instanceof NoAnswer) throw error;
        const reason = signal.aborted ? 'timeout' : reasonOf(error);
        if (reason === 'connection') server.avoidedUntilMs = performance.now() + avoidMs;
        throw new NoAnswer(reason, error);
      }
    },
    close: async () => void (await Promise.all(servers.map(({ pool }) => pool.close()))),
  };
};

const timedOut = (reason: unknown): NoAnswer => new NoAnswer('timeout', reason);

const addressesOf = ({ url }: ClusterSettings): readonly string[] =>
  url
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');

/** The certificates to trust, undefined for the system's own. */
const trustedCertificates = ({ caFile }: ClusterSettings): string | undefined => {
  if (caFile === undefined) return undefined;
  try {
    return readFileSync(caFile, 'utf8');
  } catch (cause) {
    throw invalidConfig(`ES_CA names ${JSON.stringify(caFile)}, which cannot be read`, { cause });
  }
};

const serverAt = (address: URL, settings: ClusterSettings, ca: string | undefined): Server => ({
  pool: new Pool(address.origin, {
    ...{ connections: 256, keepAliveTimeout: keepAliveMs, keepAliveMaxTimeout: keepAliveMs },
    ...{ headersTimeout: 0, bodyTimeout: 0 },
    ...(ca !== undefined && { connect: { ca } }),
  }),
  path: address.pathname.replace(/\/$/, ''),
  authorization: () => authorizationOf(address, settings),
  avoidedUntilMs: 0,
});

/** The credentials of the settings, or those in the address. */
const authorizationOf = (address: URL, { apiKey, user, password }: ClusterSettings): string | undefined => {
  if (apiKey !== undefined) return `ApiKey ${apiKey}`;
  if (user !== undefined) return basic(user, password ?? '');
  if (address.username === '') return undefined;
  return basic(decodeURIComponent(address.username), decodeURIComponent(address.password));
};

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const exchange = async (
  server: Server,
  request: ClusterRequest,
  signal: AbortSignal,
): Promise<ClusterAnswer> => {
  const { pool, path } = server;
  const authorization = server.authorization();
  const { statusCode, headers, body } = await pool.request({
    ...{ method: request.method, path: path + request.path, query: request.query, signal },
    headers: {
      accept: 'application/json',
      ...(request.body && { 'content-type': 'application/json' }),
      ...(request.lines && { 'content-type': 'application/x-ndjson' }),
      ...(authorization !== undefined && { authorization }),
    },
    body:
      request.lines?.map((line) => `${line}\n`).join('') ??
      (request.body ? JSON.stringify(request.body) : null),
  });
  const retryAfter = headers['retry-after'];
  return {
    status: statusCode,
    body: await readBody(body, headers),
    ...(typeof retryAfter === 'string' && { retryAfter }),
  };
};

const unpacked = promisify(unzip);

const readBody = async (
  body: Dispatcher.ResponseData['body'],
  headers: IncomingHttpHeaders,
): Promise<JsonValue> => {
  const sent = Buffer.from(await body.arrayBuffer());
  // never requested, but a proxy may compress anyway
  const isPacked = /gzip|deflate/i.test(headers['content-encoding'] ?? '');
  const bytes = isPacked ? await unpacked(sent) : sent;
  const isJson = bytes.length > 0 && /[/+]json\b/i.test(headers['content-type'] ?? '');
  return isJson ? (readJson(bytes, { exact: true }) as JsonValue) : bytes.toString();
};

const reasonOf = (error: unknown): NoAnswerReason => {
  if (error instanceof SyntaxError || error instanceof RangeError) return 'unreadable';
  return /certificate|self.signed/i.test(String(error)) ? 'certificate' : 'connection';
};
