import test from 'ava';
import { createHmac } from 'node:crypto';
import { callerNames, callerOf } from '../../../../src/server/http/callers/caller-name.ts';
import { noteHub, type HttpContext } from '../../../../src/server/http/koa/http-context.ts';

const request = (remoteAddress: string, forwarded?: string, subject?: string): HttpContext =>
  ({
    state: { requestId: 'r', ...(subject && { subject }) },
    req: { socket: { remoteAddress } },
    headers: { ...(forwarded && { 'x-forwarded-for': forwarded }) },
  }) as unknown as HttpContext;

const callerName = (context: HttpContext, proxies: number): string => callerOf(context, proxies).peer;

test('the subject of a verified token is the caller, wherever it comes from', (t) => {
  t.is(
    callerName(request('10.0.0.1', undefined, 'ann'), 0),
    callerName(request('10.0.0.2', undefined, 'ann'), 0),
  );
  t.not(
    callerName(request('10.0.0.1', undefined, 'bob'), 0),
    callerName(request('10.0.0.1', undefined, 'ann'), 0),
  );
});

test('without a token the address is, as far as it is trusted', (t) => {
  const forwarded = '1.1.1.1, 2.2.2.2, 3.3.3.3';
  t.is(callerName(request('10.0.0.1', forwarded), 0), 'address 10.0.0.1');
  t.is(callerName(request('10.0.0.1', forwarded), 1), 'address 3.3.3.3');
  t.is(callerName(request('10.0.0.1', forwarded), 2), 'address 2.2.2.2');
  t.is(callerName(request('10.0.0.1', forwarded), 4), 'address 10.0.0.1');
  t.is(callerName(request('10.0.0.1'), 1), 'address 10.0.0.1');
});

test('a port behind a forwarded address is none of the caller', (t) => {
  const nameOf = (forwarded: string): string => callerName(request('10.0.0.1', forwarded), 1);
  t.is(nameOf('3.3.3.3:40123'), 'address 3.3.3.3');
  t.is(nameOf('3.3.3.3:40124'), nameOf('3.3.3.3'));
  for (const address of ['[2001:db8:0:1::7]:40123', '[2001:db8:0:1::7]', '2001:db8:0:1::7'])
    t.is(nameOf(address), 'address 2001:db8:0:1');
});

test('all of a network of IPv6 is one caller, and an address of IPv4 is one however it is written', (t) => {
  const [one, same, other] = ['2001:db8:0:1::7', '2001:0DB8:0:1:2:3:4:5', '2001:db8:0:2::7'].map((address) =>
    callerName(request(address), 0),
  );
  t.is(one, same);
  t.not(one, other);
  t.is(callerName(request('::ffff:10.0.0.1'), 0), 'address 10.0.0.1');
  t.is(callerName(request('::1'), 0), 'address 0:0:0:0');
});

test('a hub is one caller, and believed which of its own it asks for; nobody else is', (t) => {
  const named = (member: string, subject?: string): HttpContext => {
    const context = request('10.0.0.1', undefined, subject);
    return Object.assign(context, { headers: { 'tributary-caller': member } });
  };
  t.deepEqual(callerOf(named('some-name'), 0), { peer: 'address 10.0.0.1', member: '' });
  const viaHub = (context: HttpContext): HttpContext => {
    noteHub(context.req, 'Nordic');
    return context;
  };
  t.deepEqual(callerOf(viaHub(named('some-name', 'ann')), 0), { peer: 'hub Nordic', member: 'some-name' });
  t.deepEqual(callerOf(viaHub(named('not opaque!', 'ann')), 0), { peer: 'hub Nordic', member: 'ann' });
  t.deepEqual(callerOf(viaHub(named('x'.repeat(65))), 0), { peer: 'hub Nordic', member: '' });
});

test('a hub names a caller by a keyed hash, another one each day, for each node and with each key', (t) => {
  const secret = (key: string) => (label: string) => createHmac('sha256', key).update(label).digest();
  const ann = { peer: 'subject ann', member: '' };
  const on = (day: string, key = 'ours') => callerNames(secret(key), () => Date.parse(day));
  const name = on('2026-03-01T00:00:00Z')(ann, 'oslo');
  t.regex(name, /^[\w-]{43}$/);
  t.is(on('2026-03-01T23:59:59Z')(ann, 'oslo'), name);
  const others = [
    on('2026-03-02T00:00:00Z')(ann, 'oslo'),
    on('2026-03-01T00:00:00Z')(ann, 'lyon'),
    on('2026-03-01T00:00:00Z', 'theirs')(ann, 'oslo'),
    on('2026-03-01T00:00:00Z')({ peer: 'subject bob', member: '' }, 'oslo'),
    on('2026-03-01T00:00:00Z')({ peer: 'subject', member: 'ann' }, 'oslo'),
  ];
  t.is(new Set([name, ...others]).size, 6);
});
