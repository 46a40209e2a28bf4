import { keyedMac } from '../../../lib/runtime/keyed-mac.ts';
import type { Caller } from '../../../lib/concurrency/turn-queue.ts';
import { callerHeader } from '../../../federation/remote/node-statements.ts';
import { hubOf, type HttpContext } from '../koa/http-context.ts';
import { LRUCache } from 'lru-cache';
import { BlockList, isIPv6 } from 'node:net';

const opaqueName = /^[\w-]{1,64}$/;

/**
 * Identifies a caller: by the hub whose tunnel the request came through, the subject of the verified token, else the
 * client address. Only a hub is believed which of its callers it asks for: its key was verified.
 * @param proxies how many trusted proxies are in front of this server, each appending its peer to X-Forwarded-For; earlier
 *   entries are supplied by the client
 */
export const callerOf = (context: HttpContext, proxies: number): Caller => {
  const { subject } = context.state;
  const hub = hubOf(context);
  if (hub !== undefined) return { peer: `hub ${hub}`, member: memberOf(context) };
  const address = `address ${networkOf(addressOf(context, proxies))}`;
  return { peer: subject === undefined ? address : `subject ${subject}`, member: '' };
};

const memberOf = ({ headers, state: { subject = '' } }: HttpContext): string => {
  const named = headers[callerHeader];
  return typeof named === 'string' && opaqueName.test(named) ? named : subject;
};

/** The name of a caller for one node. */
export type NameCaller = (caller: Caller, nodeId: string) => string;

/**
 * Opaque names of callers, by which a node shares its time among the callers of this server: a keyed hash, another one each
 * day (UTC) and for each node, so that neither days nor nodes can be compared.
 * @param derive a secret of this server for one purpose
 */
export const callerNames = (
  derive: (label: string) => Buffer,
  nowMs: () => number = Date.now,
): NameCaller => {
  const ofDay = new LRUCache<string, (text: string) => string>({
    max: 1,
    memoMethod: (day) => keyedMac(derive(`callers ${day}`)),
  });
  return ({ peer, member }, nodeId) => {
    const day = new Date(nowMs()).toISOString().slice(0, 10);
    return ofDay.memo(day)(JSON.stringify([nodeId, peer, member]));
  };
};

/** The client's address, from the header of the trusted proxies. */
export const addressOf = (
  { req, headers }: Pick<HttpContext, 'req' | 'headers'>,
  proxies: number,
): string => {
  const direct = req.socket.remoteAddress ?? '';
  if (proxies === 0) return direct;
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const named = withoutPort(forwarded.at(-proxies)?.trim() ?? '');
  return named === '' ? direct : named;
};

/** Some proxies append the port of their peer, which differs for each connection. */
const withoutPort = (address: string): string =>
  /^"?\[([^\]]*)\](?::\d+)?"?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;

/** An IPv6 client usually controls its whole /64 network. */
export const networkOf = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%')[0]!.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':');
};

const near = new BlockList();
near.addSubnet('10.0.0.0', 8);
near.addSubnet('172.16.0.0', 12);
near.addSubnet('192.168.0.0', 16);
near.addSubnet('fc00::', 7, 'ipv6');
near.addSubnet('fe80::', 10, 'ipv6');

/** How near an address is. */
export const addressClass = (address: string): 'loopback' | 'private' | 'public' => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%')[0]!;
  if (plain === '::1' || plain.startsWith('127.')) return 'loopback';
  return near.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4') ? 'private' : 'public';
};
