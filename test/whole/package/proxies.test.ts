import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { addressOf } from '../../../src/server/http/callers/caller-name.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { freePort, listening } from '../../listening.ts';

const proxies = join(import.meta.dirname, '../../../deploy/proxies');

/** A file of deploy/proxies with the addresses of a test in place of those that it names. */
const adapted = (name: string, changes: readonly (readonly [string, string])[]): string =>
  changes.reduce(
    (whole, [from, to]) => {
      if (!whole.includes(from)) throw new Error(`${name} has no "${from}"`);
      return whole.replace(from, to);
    },
    readFileSync(join(proxies, name), 'utf8'),
  );

interface Proxy {
  readonly name: string;
  readonly isThere: () => boolean;
  /** Writes its files. @returns the command that starts it */
  readonly prepare: (folder: string, port: number, server: string) => readonly string[];
}

const known: readonly Proxy[] = [
  {
    name: 'nginx',
    isThere: () => spawnSync('nginx', ['-v']).status === 0,
    prepare: (folder, port, server) => {
      const site = adapted('nginx.conf', [
        ['listen 80;', `listen 127.0.0.1:${port};`],
        ['127.0.0.1:5050', server],
      ]);
      const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const paths = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
      writeFileSync(
        join(folder, 'whole.conf'),
        `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
        events {} http { access_log off; ${paths} ${site} }`,
      );
      return ['nginx', '-p', folder, '-e', 'stderr', '-c', join(folder, 'whole.conf')];
    },
  },
  {
    name: 'caddy',
    isThere: () => spawnSync('caddy', ['version']).status === 0,
    prepare: (folder, port, server) => {
      const whole = adapted('Caddyfile', [
        ['{\n\tservers', '{\n\tadmin off\n\tservers'],
        ['search.example.org', `http://127.0.0.1:${port}`],
        ['127.0.0.1:5050', server],
      ]);
      writeFileSync(join(folder, 'Caddyfile'), whole);
      return ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
    },
  },
];

const megabyte = Buffer.alloc(1024 * 1024, 'x');

/** What a server with TRUST_PROXY=1 sees: callers, whole uploads; and a download in two parts, the second one later. */
const serve = async (t: ExecutionContext) => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const server = createServer((incoming, response) => {
    const answer = async (): Promise<void> => {
      const { length } = await buffer(incoming);
      const caller = addressOf({ req: incoming, headers: incoming.headers }, 1);
      if (incoming.url !== '/network/download') return void response.end(JSON.stringify({ caller, length }));
      response.write(megabyte);
      await finished;
      response.end(megabyte);
    };
    answer().catch(() => response.destroy());
  });
  server.on('upgrade', (incoming, socket) => {
    const caller = addressOf({ req: incoming, headers: incoming.headers }, 1);
    socket.end(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n${caller}`,
    );
  });
  const { port } = await listening(t, server);
  return { address: `127.0.0.1:${port}`, finish };
};

const start = async (t: ExecutionContext, proxy: Proxy, server: string): Promise<number> => {
  const folder = temporaryFolder(t, {});
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const [program, ...options] = proxy.prepare(folder, port, server);
  const child = spawn(program!, options, {
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const output = text(child.stderr);
  t.teardown(async () => {
    if (child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill();
    await exited;
  });
  const isListening = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('error', () => resolve(false)).once('connect', () => resolve(true));
      socket.once('connect', () => socket.destroy());
    });
  while (!(await isListening())) {
    if (child.exitCode !== null) throw new Error(`${proxy.name} did not start: ${await output}`);
    await sleep(50);
  }
  return port;
};

interface Sent {
  readonly path?: string;
  /** The client's own address. */
  readonly from?: string;
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const send = async (
  port: number,
  { path = '/graphql', from = '127.0.0.1', body, headers = {} }: Sent,
): Promise<IncomingMessage> => {
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    localAddress: from,
    agent: false,
    headers,
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
};

const bodyOf = async (response: IncomingMessage): Promise<unknown> => JSON.parse(await text(response));

for (const proxy of known)
  test(`${proxy.name} passes on who calls, uploads, downloads and tunnels`, async (t) => {
    t.timeout(120_000);
    if (!proxy.isThere()) {
      t.log(`${proxy.name} is not installed here`);
      t.pass();
      return;
    }
    const { address, finish } = await serve(t);
    const port = await start(t, proxy, address);
    // every loopback address is a client of its own; what a client claims is not believed
    const claimed = { 'x-forwarded-for': '192.0.2.1' };
    for (const from of ['127.0.0.1', '127.0.0.2']) {
      const answers = [await send(port, { from }), await send(port, { from, headers: claimed })];
      t.deepEqual(await Promise.all(answers.map(bodyOf)), Array(2).fill({ caller: from, length: 0 }));
    }
    const upload = Buffer.concat(Array<Buffer>(4).fill(megabyte));
    t.like(await bodyOf(await send(port, { body: upload })), { length: upload.length });
    const tooLarge = await send(port, { body: Buffer.concat([upload, upload]) }).catch(() => null);
    t.true(tooLarge === null || tooLarge.statusCode! >= 400, String(tooLarge?.statusCode));

    const download = await send(port, { path: '/network/download' });
    let received = 0;
    for await (const chunk of download as AsyncIterable<Buffer>) {
      received += chunk.length;
      // the first rows have come while the rest was still being read
      finish();
    }
    t.is(received, 2 * megabyte.length);

    const tunnel = connect(port, '127.0.0.1');
    tunnel.write(
      `GET /network/dial HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
    );
    t.regex(await text(tunnel), /^HTTP\/1\.1 101 [\s\S]*127\.0\.0\.1$/);
  });
