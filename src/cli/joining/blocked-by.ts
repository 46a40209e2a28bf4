import { connect } from 'node:tls';
import { asTributaryError } from '../../errors/errors.ts';
import { HandshakeError } from '../../tunnel/handshake.ts';
import { proxyFor } from '../../tunnel/member.ts';

/**
 * Which step of the way to a hub is blocked, in a line for whoever runs the network.
 * @param error why a hub could not be reached
 */
export const blockedBy = async (
  error: unknown,
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> => {
  const target = new URL(url);
  const port = target.port || (target.protocol === 'http:' ? '80' : '443');
  const proxy = proxyFor(target, env);
  const through = proxy === null ? '' : ` through the proxy ${new URL(proxy).host}`;
  const where = `${target.hostname} port ${port}${through}`;
  if (error instanceof HandshakeError) return `${where} is reached, but: ${error.message}`;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const status = /Unexpected server response: (\d{3})/.exec(message)?.[1];
  if (status !== undefined) return `${where}: ${statusText(status, proxy !== null)}`;
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `name not resolved: ${proxy === null ? target.hostname : new URL(proxy).hostname}; ask for DNS, or set HTTPS_PROXY to the proxy of your network`;
    case 'ECONNREFUSED':
      return `connection refused: ${where}; nothing listens there, or a firewall rejects it`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `no route: ${where}; ask for outbound TCP to ${target.hostname} port ${port}`;
  }
  if (/handshake has timed out/.test(message))
    return `no answer: ${where}; a firewall may drop packets: ask for outbound TCP to ${target.hostname} port ${port}`;
  if (certificateCodes.has(code))
    return `certificate not trusted (${code}): it is issued by ${await issuerOf(target)}; where a proxy inspects TLS, set NODE_EXTRA_CA_CERTS to the file of its certificate`;
  return `${where}: ${asTributaryError(error).code === 'INTERNAL_SERVER_ERROR' ? message : asTributaryError(error).message}`;
};

const certificateCodes: ReadonlySet<string> = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

const statusText = (status: string, hasProxy: boolean): string => {
  switch (status) {
    case '407':
      return 'the proxy wants a name and password: HTTPS_PROXY=http://name:password@host:port';
    case '404':
    case '400':
    case '426':
      return `the request arrives without its Upgrade header, or this is no hub (HTTP ${status}): whatever stands between must pass WebSockets to /network/dial`;
    case '429':
      return 'the hub refuses this address for a minute, after too many failed attempts';
    case '503':
      return 'the hub is starting, stopping or busy (HTTP 503): try again in a minute';
    default:
      return hasProxy && (status === '403' || status === '502' || status === '504')
        ? `the proxy refused the connection (HTTP ${status}): ask for CONNECT to this host and port`
        : `answered HTTP ${status} instead of opening a WebSocket`;
  }
};

/** Who issued the certificate that is shown there. */
const issuerOf = ({ hostname, port }: URL): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({
      host: hostname,
      port: Number(port || 443),
      servername: hostname,
      rejectUnauthorized: false,
    });
    const done = (text: string): void => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(5_000, () => done('an unknown authority'));
    socket.once('error', () => done('an unknown authority'));
    socket.once('secureConnect', () => {
      const { issuer } = socket.getPeerCertificate();
      const name = [issuer?.O, issuer?.CN].flat().filter((one) => one !== undefined);
      done(name.length === 0 ? 'an unknown authority' : JSON.stringify(name.join(', ')));
    });
  });
