import { BlockList, isIP, isIPv6 } from 'node:net';

/** A host that pictures may be fetched from. */
export interface ImageHost {
  readonly protocol: 'http:' | 'https:';
  /** Lower case, IPv6 in brackets, with its port unless it is the default one; `*.` before a name: any name below it. */
  readonly host: string;
}

/**
 * Reads an entry of the list: `images.example.org`, `*.example.org`, `https://images.example.org:8443`, or with
 * `http://` for unencrypted connections.
 * @returns null if it is not a host, or contains more than a host
 */
export const readImageHost = (entry: string): ImageHost | null => {
  const [, protocol = 'https:', wild = '', host = ''] =
    /^(https?:(?=\/\/))?(?:\/\/)?(\*\.)?(.+)$/i.exec(entry) ?? [];
  const address = `${protocol}//${host}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  // the entry has a path, a name or a password, or characters that the URL parser changes
  if (url.href !== `${url.protocol}//${url.host}/` || /[*@?#]|\/[^]/.test(host)) return null;
  if (wild !== '' && isIP(withoutBrackets(url.hostname)) !== 0) return null;
  return { protocol: url.protocol === 'http:' ? 'http:' : 'https:', host: `${wild}${url.host}` };
};

/** Whether a picture may be fetched from an address, by its protocol, host and port. */
export const isListed = (url: URL, hosts: readonly ImageHost[]): boolean =>
  hosts.some(
    ({ protocol, host }) =>
      url.protocol === protocol &&
      (host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : url.host === host),
  );

/** The IP address that a URL has instead of a name; null if it has a name. */
export const addressIn = ({ hostname }: URL): string | null => {
  const plain = withoutBrackets(hostname);
  return isIP(plain) === 0 ? null : plain;
};

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** Whether an IP address is public (IANA's registries of special-purpose addresses). */
export const isPublic = (address: string): boolean =>
  isIPv6(address)
    ? publicIPv6.check(address, 'ipv6') && !special.check(address, 'ipv6')
    : isIP(address) === 4 && !special.check(address, 'ipv4');

/** All other IPv6 addresses are loopback, link-local, unique local or multicast, or contain an IPv4 address. */
const publicIPv6 = new BlockList();
publicIPv6.addSubnet('2000::', 3, 'ipv6');

const special = new BlockList();
for (const subnet of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
]) {
  const [network, prefix] = subnet.split('/') as [string, string];
  special.addSubnet(network, Number(prefix), isIPv6(network) ? 'ipv6' : 'ipv4');
}
