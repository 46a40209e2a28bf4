import { request } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import type { RunningNode } from '../end-to-end/processes.ts';
import { freePort } from '../../listening.ts';
import { answersPing, attackers, startVictim, until } from './victim.ts';

/** As many as a small container may have. */
const maxFiles = 256;
const many = 200;
const timeoutMs = 240_000;

/** A server with an indexing service on a port of its own: the service as a victim, and the server beside it. */
const startIndexing = async (t: ExecutionContext, maxOpen?: number) => {
  const port = await freePort();
  const node = await startVictim(t, {
    settings: { INDEXING_PORT: String(port) },
    ...(maxOpen === undefined ? {} : { maxFiles: maxOpen }),
  });
  const service: RunningNode = { ...node, url: `http://127.0.0.1:${port}` };
  return { node, service };
};

const isHealthy = (service: RunningNode): Promise<boolean> => answersPing(service, '/health');

const path = '/index/repository/none';
const slow = [
  ['say nothing', '', 'x: y\r\n'],
  ['send their headers one by one', `POST ${path} HTTP/1.1\r\nhost: localhost\r\n`, 'x: y\r\n'],
  [
    'send their body byte by byte',
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9999\r\n\r\n`,
    ' ',
  ],
  [
    'send chunks without end',
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n`,
    '1\r\n \r\n',
  ],
] as const;

test('slow connections keep no other client out of either port', async (t) => {
  t.timeout(timeoutMs);
  const { node, service } = await startIndexing(t, maxFiles);
  for (const [name, bytes, drop] of slow) {
    const opened = await attackers(t, service, many, bytes);
    const dripping = setInterval(() => opened.forEach(({ socket }) => socket.write(drop)), 200);
    for (let attempt = 0; attempt < 3; attempt++) t.true(await isHealthy(service), name);
    t.true(await answersPing(node), name);
    clearInterval(dripping);
  }
});

test('a half-closed connection keeps no other client out', async (t) => {
  t.timeout(timeoutMs);
  const { service } = await startIndexing(t, maxFiles);
  const opened = await attackers(t, service, many, `GET /jobs HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  for (const { socket } of opened) socket.end();
  await until(() => opened.every(({ socket }) => socket.readableEnded || socket.closed));
  t.true(await isHealthy(service));
});

test('bodies far larger than an empty one are refused before they are there', async (t) => {
  t.timeout(timeoutMs);
  const { service } = await startIndexing(t);
  const megabyte = Buffer.alloc(1024 * 1024, ' ');
  const statuses = Array.from({ length: 20 }, (_, at) => {
    const upload = request(`${service.url}${path}`, {
      method: 'POST',
      agent: false,
      // half of them say how much there is, the others do not
      headers: at % 2 === 0 ? { 'content-length': 1024 ** 3 } : {},
    });
    // the service stops reading: what it does not take is not sent
    const send = (error?: Error | null): void =>
      void (error || upload.destroyed || upload.write(megabyte, send));
    send();
    return new Promise<number | undefined>((resolve) => {
      upload.on('error', () => resolve(undefined));
      upload.on('response', ({ statusCode }) => {
        upload.destroy();
        resolve(statusCode);
      });
    });
  });
  const turnedAway = (await Promise.all(statuses)).filter((status) => status !== undefined);
  t.true(turnedAway.length > 0);
  t.deepEqual([...new Set(turnedAway)], [413]);
  t.true(await isHealthy(service));
});

test('a Host other than this machine is refused for every client', async (t) => {
  t.timeout(timeoutMs);
  const { service } = await startIndexing(t);
  for (const host of [
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example:1',
    '[::2]',
    '0x7f.1',
  ]) {
    const [one] = await attackers(
      t,
      service,
      1,
      `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
    );
    await until(() => one!.line() !== '');
    t.regex(one!.line(), /^HTTP\/1\.1 403 /, host);
  }
});
