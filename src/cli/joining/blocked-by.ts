import { get } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { TributaryError } from '../../lib/errors/errors.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { HandshakeError, type CloseReason } from '../../capabilities/joining/handshake.ts';
import { proxyFor, ProxyRefusal } from '../../capabilities/joining/proxy.ts';

/**
 * Which step on the way to a hub is blocked, as a line for a network administrator.
 * @param error the reason why a hub could not be reached
 */
export const blockedBy = async (
  error: unknown,
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> => {
  if (error instanceof TributaryError && !(error instanceof HandshakeError)) return error.message;
  const target = new URL(url);
  const proxy = proxyFor(target, env);
  const port = target.port || (target.protocol === 'http:' ? '80' : '443');
  const where = `${target.hostname} port ${port}${proxy === null ? '' : ` through the proxy ${proxy.host}`}`;
  if (error instanceof HandshakeError)
    return `${where} is reached, but: ${error.message}${advice[error.reason] ?? ''}`;
  if (error instanceof ProxyRefusal) return `${where}: ${proxyText(error.status, proxy)}`;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const status = /Unexpected server response: (\d{3})/.exec(message)?.[1];
  if (status !== undefined) return `${where}: ${statusText(status)}`;
  if (isOfCertificate(code)) return certificateText(code, target, proxy);
  const text = connectionText(code, message);
  if (text === null) return `${where}: ${message}`;
  const first = proxy ?? target;
  return text
    .replace('WHERE', where)
    .replace('HOST', first.hostname)
    .replace('PORT', first.port || port);
};

/** Why the hub could not use a catalogue although it can reach this server; null if it could. */
export const unusableBy = (catalogueId: string, catalogues: readonly CatalogueConfig[]): string | null => {
  const catalogue = catalogues.find((one) => one.catalogueId === catalogueId);
  if (catalogue === undefined) return `there is no catalogue ${catalogueId} here, which the hub would query`;
  if (catalogue.disableGraphQLIntrospection !== true) return null;
  return `GraphQL introspection is off for the catalogue ${catalogueId}: the hub cannot find out its fields; set DISABLE_GRAPHQL_INTROSPECTION=false, which NODE_ENV=production needs, and not true in its files`;
};

/** Additional advice for hubs that have refused this server. */
const advice: Readonly<Partial<Record<CloseReason, string>>> = {
  wrongClock: '; set the clock of the server that is wrong, by NTP',
  unknownNode: "; the hub's administrator invites this server with tributary invite",
  keyRefused:
    "; the hub's administrator compares the keys, and invites this server again where its own is lost",
  wrongAudience: '; hubs.json must name the hub by its PUBLIC_URL',
  tooSlow: '; something on the way may hold back WebSocket messages',
  lost: '; something on the way ends WebSockets',
};

const connectionText = (code: string, message: string): string | null => {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'name not resolved: HOST; ask for DNS, or set HTTPS_PROXY to the proxy of your network';
    case 'ECONNREFUSED':
      return 'connection refused: WHERE; nothing listens at HOST port PORT, or a firewall rejects it';
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'no route: WHERE; ask for outbound TCP to HOST port PORT';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'connection cut: WHERE; a firewall or proxy ends it: ask for outbound TLS and WebSockets to HOST port PORT';
    case 'EPROTO':
      return 'no TLS: WHERE; what answers there is not the hub, or a proxy stands between that is no HTTP proxy';
  }
  if (!/handshake has timed out/.test(message)) return null;
  return 'no answer: WHERE; a firewall may drop packets: ask for outbound TCP to HOST port PORT';
};

const proxyText = (status: number, proxy: URL | null): string => {
  if (status !== 407)
    return `the proxy refused CONNECT (HTTP ${status}): ask for CONNECT to this host and port`;
  return proxy?.username === ''
    ? 'the proxy wants a name and password (HTTP 407): HTTPS_PROXY=http://name:password@host:port'
    : 'the proxy refuses the name and password of HTTPS_PROXY (HTTP 407)';
};

const statusText = (status: string): string => {
  switch (status) {
    case '426':
      return 'the request arrives without its Upgrade header (HTTP 426): whatever stands before the hub must pass WebSockets to /network/dial';
    case '400':
    case '404':
      return `no hub answers there (HTTP ${status}), or what stands before it does not pass /network/dial`;
    case '429':
      return 'the hub refuses this address for a minute, after too many failed attempts (HTTP 429)';
    case '503':
      return 'the hub is starting, stopping or busy (HTTP 503): try again in a minute';
    default:
      return `answered HTTP ${status} instead of opening a WebSocket`;
  }
};

const isOfCertificate = (code: string): boolean =>
  /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|INVALID_CA|HOSTNAME_MISMATCH)/.test(code);

const certificateText = async (code: string, target: URL, proxy: URL | null): Promise<string> => {
  const ofProxy = proxy?.protocol === 'https:' ? await certificateAt(proxy, null) : null;
  const isOfProxy = ofProxy !== null && !ofProxy.isTrusted;
  const { issuer } = isOfProxy ? ofProxy : await certificateAt(target, proxy);
  const whose = isOfProxy ? 'certificate of the proxy' : 'certificate';
  const cure = /EXPIRED|NOT_YET/.test(code)
    ? 'renew it, or set the clock of this server'
    : /ALTNAME|HOSTNAME/.test(code)
      ? 'it is for another host'
      : 'where a proxy inspects TLS, set NODE_EXTRA_CA_CERTS to the file of its certificate';
  return `${whose} not trusted (${code}): it is issued by ${issuer}; ${cure}`;
};

interface ShownCertificate {
  readonly isTrusted: boolean;
  readonly issuer: string;
}

const unknown: ShownCertificate = { isTrusted: true, issuer: 'an unknown authority' };

/** The certificate that an address presents, connecting in the same way as a tunnel. */
const certificateAt = (url: URL, proxy: URL | null): Promise<ShownCertificate> =>
  new Promise((resolve) => {
    const lenient = { rejectUnauthorized: false };
    const agent = proxy === null ? undefined : new HttpsProxyAgent(proxy, lenient);
    const request = get(url, { agent, ...lenient, timeout: 5_000 });
    const show = (socket: TLSSocket): void => {
      const { issuer } = socket.getPeerCertificate();
      const name = [issuer?.O, issuer?.CN].flat().filter((one) => one !== undefined);
      resolve({
        isTrusted: socket.authorized,
        issuer: name.length === 0 ? unknown.issuer : JSON.stringify(name.join(', ')),
      });
      request.destroy();
    };
    request.once('socket', (socket: TLSSocket) => socket.once('secureConnect', () => show(socket)));
    request.once('timeout', () => request.destroy());
    request.on('error', () => resolve(unknown)).once('close', () => resolve(unknown));
  });
