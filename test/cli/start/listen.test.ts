import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { activatedSocket, drained, listen, listeningAddresses } from '../../../src/cli/start/listen.ts';

const variables = 'A_PORT or A_HOST';

test('the URL has the port that was had, and the host as an address of this machine', async (t) => {
  for (const [host, expected] of [
    ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['0.0.0.0', /^http:\/\/localhost:\d+$/],
    [undefined, /^http:\/\/localhost:\d+$/],
  ] as const) {
    const listening = await listen(createServer(), { port: 0, host, variables });
    t.regex(listening.url, expected);
    t.notRegex(listening.url, /:0$/);
    await drained(listening);
  }
});

test('a sandbox that hides the interfaces does not keep a server from starting', async (t) => {
  const server = createServer();
  const listening = await listen(server, { port: 0, host: '0.0.0.0', variables });
  const { port } = new URL(listening.url);
  const hidden = (): never => {
    throw new Error('A system error occurred: uv_interface_addresses returned Unknown system error 97');
  };
  t.deepEqual(listeningAddresses(server, hidden), [`0.0.0.0:${port}`]);
  t.true(listeningAddresses(server).every((address) => address.endsWith(`:${port}`)));
  await drained(listening);
});

test('the unit of systemd permits what tells the addresses', async (t) => {
  const unit = await readFile(new URL('../../../deploy/systemd/tributary.service', import.meta.url), 'utf8');
  t.regex(unit, /^RestrictAddressFamilies=.*AF_NETLINK/m);
});

test('a port in use has another error than one that is not permitted', async (t) => {
  const first = await listen(createServer(), { port: 0, host: '127.0.0.1', variables });
  const { port } = new URL(first.url);
  await t.throwsAsync(listen(createServer(), { port: Number(port), host: '127.0.0.1', variables }), {
    code: 'CONFLICT',
    message: `cannot listen on port ${port} of 127.0.0.1: another program has it; set A_PORT or A_HOST`,
  });
  await t.throwsAsync(listen(createServer(), { port: 0, host: '192.0.2.1', variables }), {
    code: 'CONFIG_INVALID',
    message: 'cannot listen on port 0 of 192.0.2.1: EADDRNOTAVAIL; set A_PORT or A_HOST',
  });
  await drained(first);
});

test('a socket of a service manager is this process’s alone, and one', (t) => {
  const pid = 7;
  t.is(activatedSocket({}, pid), undefined);
  t.is(activatedSocket({ LISTEN_PID: '7', LISTEN_FDS: '1' }, pid), 3);
  t.is(activatedSocket({ LISTEN_PID: '8', LISTEN_FDS: '1' }, pid), undefined);
  t.throws(() => activatedSocket({ LISTEN_PID: '7', LISTEN_FDS: '2' }, pid), {
    code: 'CONFIG_INVALID',
    message: 'LISTEN_FDS is 2: one socket is expected, with one ListenStream in its unit',
  });
});

test('requests that do not end are cut off when the time is up', async (t) => {
  const hanging = async (maxMs: number): Promise<number> => {
    const server = createServer();
    const listening = await listen(server, { port: 0, host: '127.0.0.1', variables });
    const sent = get(listening.url).on('error', () => undefined);
    t.teardown(() => sent.destroy());
    await once(server, 'request');
    await drained(listening, { maxMs });
    return maxMs;
  };
  t.is(await Promise.race([hanging(100_000), hanging(10)]), 10);
});

test('what is being answered is answered before a server has drained', async (t) => {
  let answer: (() => void) | undefined;
  const server = createServer((_request, response) => {
    answer = () => response.end('whole');
  });
  const listening = await listen(server, { port: 0, host: '127.0.0.1', variables });
  const sent = get(listening.url);
  await once(server, 'request');
  const end = drained(listening);
  answer!();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  t.is(await text(response), 'whole');
  await end;
  t.false(server.listening);
});
