import { isIPv6 } from 'node:net';
import type { HttpContext } from '../koa/http-context.ts';

/**
 * Identifies a caller: the subject of the verified token, else the client address.
 * @param proxies how many trusted proxies are in front of this server, each appending its peer to X-Forwarded-For;
 *   earlier entries are supplied by the client
 */
export const callerName = (context: HttpContext, proxies: number): string => {
  const { subject } = context.state;
  return subject === undefined ? `address ${networkOf(addressOf(context, proxies))}` : `subject ${subject}`;
};

const addressOf = ({ req, headers }: HttpContext, proxies: number): string => {
  const direct = req.socket.remoteAddress ?? '';
  if (proxies === 0) return direct;
  const told = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const named = told.at(-proxies)?.trim();
  return named === undefined || named === '' ? direct : named;
};

/** An IPv6 client usually controls its whole /64 network. */
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
