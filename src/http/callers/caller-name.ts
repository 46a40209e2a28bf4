import { isIPv6 } from 'node:net';
import type { RequestContext } from '../koa/request-context.ts';

/**
 * Who is meant by one caller: the subject of a token that was verified, else the address that the request comes from.
 * @param proxies how many proxies stand before this server, each adding to X-Forwarded-For whom it was asked by; what
 * stands there before is the client's own word
 */
export const callerName = (context: RequestContext, proxies: number): string => {
  const { subject } = context.state;
  return subject === undefined ? `address ${networkOf(addressOf(context, proxies))}` : `subject ${subject}`;
};

const addressOf = ({ req, headers }: RequestContext, proxies: number): string => {
  const direct = req.socket.remoteAddress ?? '';
  if (proxies === 0) return direct;
  const told = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const named = told.at(-proxies)?.trim();
  return named === undefined || named === '' ? direct : named;
};

/** Whoever has an address of IPv6 has all of its network of 64 bits. */
const networkOf = (address: string): string => {
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
