import { invalidConfig } from '../../lib/errors/errors.ts';

/** A proxy does not connect this server to its hub. */
export class ProxyRefusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the proxy refused the connection (HTTP ${status})`);
    this.status = status;
  }
}

/**
 * The proxy for an address, chosen like in curl; null: none.
 * @throws TributaryError CONFIG_INVALID when the variable does not name an HTTP proxy
 */
export const proxyFor = (url: URL, env: Readonly<Record<string, string | undefined>>): URL | null => {
  const of = (name: string): string | undefined => env[name.toLowerCase()] ?? env[name];
  const variable = url.protocol === 'http:' ? 'HTTP_PROXY' : 'HTTPS_PROXY';
  const named = of(variable);
  if (named === undefined || named === '' || isExcepted(url.hostname, of('NO_PROXY') ?? '')) return null;
  const proxy = URL.parse(named.includes('://') ? named : `http://${named}`);
  if (proxy !== null && /^https?:$/.test(proxy.protocol)) return proxy;
  // the value may contain a password
  throw invalidConfig(
    `${variable} is not the address of an HTTP proxy: http://name:password@host:port expected`,
  );
};

const isExcepted = (hostname: string, exceptions: string): boolean => {
  const host = hostname.toLowerCase();
  const listed = exceptions.toLowerCase().split(/[\s,]+/);
  return listed.some((one) => {
    const domain = one.replace(/^\*?\./, '');
    return one === '*' || (domain !== '' && (host === domain || host.endsWith(`.${domain}`)));
  });
};
