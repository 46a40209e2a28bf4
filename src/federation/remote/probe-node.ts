import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { asTributaryError } from '../../lib/errors/errors.ts';
import { graphqlBody, transportFailure, type Transport } from './http-executor.ts';
import { sendHttp } from './send-http.ts';

/** Whether a node can be reached at all, regardless of the caller. */
export interface NodeProbe {
  /** An HTTP response was received, whatever its status. */
  readonly reachable: boolean;
  /** HTTP status of the response. */
  readonly status: number | null;
  /** Time to the first byte of the response, in milliseconds, including the connection. */
  readonly tookMs: number;
  /** Why it is not reachable. */
  readonly reason: string | null;
  /** null over plain http. */
  readonly tls: TlsProbe | null;
}

export interface TlsProbe {
  readonly valid: boolean;
  /** For example TLSv1.3; null when no connection was established. */
  readonly protocol: string | null;
  /** ISO 8601: expiry of the certificate. */
  readonly validUntil: string | null;
  /** The error code, such as CERT_HAS_EXPIRED. */
  readonly reason: string | null;
}

/**
 * Probes a node's address once, to help an admin diagnose a problem. Never rejects.
 * @param credential the header with this server's own credential for the node
 * @param timeoutMs for the connection and the start of the response
 */
export const probeNode = async (
  transport: Transport,
  graphqlUrl: string,
  timeoutMs: number,
  credential: Readonly<Record<string, string>> = {},
): Promise<NodeProbe> => {
  const url = new URL(graphqlUrl);
  const [answer, tls] = await Promise.all([
    probeHttp(transport, graphqlUrl, timeoutMs, credential),
    url.protocol === 'https:' ? probeTls(url, timeoutMs) : null,
  ]);
  return { ...answer, tls };
};

const probeHttp = async (
  transport: Transport,
  url: string,
  timeoutMs: number,
  credential: Readonly<Record<string, string>>,
): Promise<Omit<NodeProbe, 'tls'>> => {
  const startedMs = performance.now();
  const tookMs = (): number => Math.round(performance.now() - startedMs);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { status } = await sendHttp(transport.agent, new URL(url), {
      headers: { ...credential, 'content-type': 'application/json', accept: 'application/json' },
      body: graphqlBody('{ __typename }'),
      signal,
      maxBytes: 0,
      isRead: () => false,
    });
    return { reachable: true, status, tookMs: tookMs(), reason: null };
  } catch (error) {
    const { message } = asTributaryError(transportFailure(error, signal));
    return { reachable: false, status: null, tookMs: tookMs(), reason: message };
  }
};

/** Connects without verification to inspect the certificate, then reports what verification would have refused. */
const probeTls = (url: URL, timeoutMs: number): Promise<TlsProbe> =>
  new Promise((resolve) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port: Number(url.port || 443), rejectUnauthorized: false, ...servername });
    const done = (probe: TlsProbe): void => {
      socket.destroy();
      resolve(probe);
    };
    const failed = (reason: string): void => done({ valid: false, protocol: null, validUntil: null, reason });
    socket.setTimeout(timeoutMs, () => failed('ETIMEDOUT'));
    socket.once('error', (error: NodeJS.ErrnoException) => failed(error.code ?? 'connection failed'));
    socket.once('secureConnect', () => {
      const { valid_to: validTo } = socket.getPeerCertificate();
      const error: unknown = socket.authorizationError;
      const reason =
        error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : error;
      done({
        valid: socket.authorized,
        protocol: socket.getProtocol(),
        validUntil: validTo ? new Date(validTo).toISOString() : null,
        reason: socket.authorized ? null : String(reason),
      });
    });
  });
