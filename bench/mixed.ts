/**
 * Prints what 200 clients of all kinds do to others: the 99th percentile of /ping and of the cheapest query beside them,
 * as multiples of an idle server's, the most memory that the server takes, and how long it takes until it is idle again.
 *
 *   node bench/mixed.ts [documents] [seconds]     default: 50000 15
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { openEngine } from '../src/engines/open/open-engine.ts';
import { median, percentile } from './engine/median.ts';
import { fill } from './engines/loaded.ts';
import { startNode } from './engines/node-process.ts';

const clients = 200;
const callers = 50;

const headersOf = (client: number): Record<string, string> => ({
  'content-type': 'application/json',
  'x-forwarded-for': `10.0.0.${client % callers}`,
});

const post = async (url: string, client: number, query: string, signal?: AbortSignal): Promise<void> => {
  const body = JSON.stringify({ query });
  const response = await fetch(`${url}/graphql`, {
    ...{ method: 'POST', headers: headersOf(client), body, signal: signal ?? null },
  });
  await response.arrayBuffer();
};

const page = (more: string): string =>
  `{ specimen { hits(first: 10000${more}) { edges { node { _source } } } } }`;
const filters = Array.from(
  { length: 10 },
  (_, at) =>
    `f${at}: filter_by_term(filter: {op: ">=", content: {fieldName: "bytes", value: [${at * 1_000}]}})`,
).join(' ');
const params = encodeURIComponent(
  JSON.stringify({
    files: [{ fileName: 'all.tsv', columns: [{ fieldName: 'id' }, { fieldName: 'title' }] }],
  }),
);
const long = JSON.stringify({
  query: '{ __typename }',
  variables: { values: Array<number>(1_000_000).fill(1) },
});
const brackets = brotliCompressSync('['.repeat(5_000_000));

/** Sends bytes, and waits for the connection's end. */
const raw = (url: string, client: number, head: string, body: Uint8Array | string): Promise<void> =>
  new Promise((resolve) => {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    const lines = `host: a\r\nx-forwarded-for: ${headersOf(client)['x-forwarded-for']}\r\n`;
    socket.write(head.replace('\r\n', `\r\n${lines}`));
    socket.write(body);
    socket.on('data', () => undefined).on('error', () => undefined);
    socket.once('close', () => resolve());
    setTimeout(() => socket.destroy(), 5_000);
  });

const jsonHead = (length: number, more = ''): string =>
  `POST /graphql HTTP/1.1\r\ncontent-type: application/json\r\n${more}content-length: ${length}\r\n\r\n`;

const kinds: readonly ((url: string, client: number) => Promise<unknown>)[] = [
  (url, client) => post(url, client, page('')),
  (url, client) => post(url, client, page(''), AbortSignal.timeout(50)),
  (url, client) => post(url, client, page(', sort: [{fieldName: "title"}]'), AbortSignal.timeout(300)),
  (url, client) =>
    post(url, client, `{ specimen { aggregations { title { buckets(max: 50) { key ${filters} } } } } }`),
  (url, client) =>
    post(url, client, '{ specimen { aggregations { id { buckets(max: 50000) { key doc_count } } } } }'),
  (url, client) => raw(url, client, `GET /download?params=${params} HTTP/1.1\r\n\r\n`, ''),
  (url, client) => fetch(`${url}/download?params=${params}`, { method: 'HEAD', headers: headersOf(client) }),
  (url, client) => raw(url, client, jsonHead(long.length), long),
  (url, client) => raw(url, client, jsonHead(long.length + 1), long),
  (url, client) => raw(url, client, jsonHead(brackets.length, 'content-encoding: br\r\n'), brackets),
];

/** The process of the clients: each does its own all the time. */
const attack = (url: string): void => {
  for (let client = 0; client < clients; client++)
    void (async () => {
      for (;;) {
        await kinds[client % kinds.length]!(url, client).catch(() => undefined);
        await sleep(20);
      }
    })();
};

const tookMs = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
};

interface Times {
  readonly ping: number[];
  readonly cheap: number[];
}

const cheap = '{ specimen { hits(first: 0) { total } } }';

const probe = async (url: string, untilMs: number, times: Times): Promise<Times> => {
  while (performance.now() < untilMs) {
    times.ping.push(await tookMs(() => fetch(`${url}/ping`).then((response) => response.arrayBuffer())));
    times.cheap.push(await tookMs(() => post(url, callers, cheap)));
    await sleep(20);
  }
  return times;
};

const measure = async (documents: number, seconds: number): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-mixed-'));
  const engine = await openEngine({ kind: 'embedded', dataPath: folder });
  await fill(engine, documents);
  await engine.close();
  const node = await startNode(folder, {
    ...{ SEARCH_ENGINE: 'embedded', DATA_PATH: folder, TRUST_PROXY: '1' },
    ...{ MEMORY_LIMIT: String(1024 ** 3), NODE_OPTIONS: '--max-old-space-size=512' },
  });
  const { url } = node;
  const after = (s: number): number => performance.now() + s * 1_000;
  await probe(url, after(3), { ping: [], cheap: [] });
  const idle = await probe(url, after(5), { ping: [], cheap: [] });
  const attacking = fork(import.meta.filename, ['clients', url]);
  await sleep(2_000);
  const busy = await probe(url, after(seconds), { ping: [], cheap: [] });
  attacking.kill('SIGKILL');
  const leftMs = performance.now();
  let calm = 0;
  while (calm < 20) {
    const ms = await tookMs(() => post(url, callers, cheap));
    calm = ms < 3 * median(idle.cheap) ? calm + 1 : 0;
    await sleep(20);
  }
  const backSeconds = (performance.now() - leftMs) / 1_000;
  const peak =
    Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${node.pid}/status`, 'utf8'))![1]) / 1024;
  const p99 = (times: number[]): number => percentile(times, 0.99);
  const line = (name: string, one: number[], other: number[]): string =>
    `${name}: p99 ${p99(one).toFixed(0)} ms idle, ${p99(other).toFixed(0)} ms beside ${clients} clients (${(p99(other) / p99(one)).toFixed(0)} times)`;
  console.log(line('/ping', idle.ping, busy.ping));
  console.log(line('cheapest query', idle.cheap, busy.cheap));
  console.log(`peak memory ${peak.toFixed(0)} MiB, idle again after ${backSeconds.toFixed(1)} s`);
  console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
  await node.close();
  await rm(folder, { recursive: true });
};

const [first = '50000', second = '15'] = process.argv.slice(2);
if (first === 'clients') attack(second);
else await measure(Number(first), Number(second));
