import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { MemoryAccount } from '../../../src/lib/runtime/memory-account.ts';
import { maxNodes } from '../../../src/sqon/parse.ts';
import { openLinksStore } from '../../../src/capabilities/portal/links-routes.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { fieldsOf, searchOf } from '../../federation/collection.ts';
import { catalogueOf } from '../../federation/remote-server.ts';
import type { AppOptions, RunningApp } from '../../server/http/running-app.ts';
import { runApp } from '../../server/http/running-app.ts';
import { testNetwork } from '../../builders.ts';

const million = 1_000_000;
/** Announced for bodies that do not end; short links have at most 1 MiB. */
const unendedBytes = 1_040_000;

/** Every route that reads a body is there. */
const openApp = async (t: ExecutionContext, options: AppOptions = {}): Promise<RunningApp> => {
  const links = openLinksStore(`${temporaryFolder(t, {})}/links.db`, million);
  t.teardown(links.close);
  const catalogue = catalogueOf('tree', fieldsOf({ id: 'keyword' }), searchOf([{ id: 'a' }]));
  const network = await testNetwork(t, [{ nodeId: 'east', catalogue }], {
    network: { documentType: 'tree' },
  });
  const settings = {
    bodyLimitBytes: 5 * million,
    portal: { publicUrl: null, signIn: null, imageHosts: [], look: {} },
  };
  return runApp(t, { network, links, ...options, settings: { ...settings, ...options.settings } });
};

const routes = [
  '/graphql',
  '/library/graphql',
  '/download',
  '/library/download',
  '/network/graphql',
  '/network/download',
  '/portal/links',
];

interface Sent {
  readonly path: string;
  readonly headers?: string;
  /** The first bytes of a body that never ends. */
  readonly begin: Uint8Array | string;
}

/** What is answered to a request whose body never ends: nothing that needs its end. */
const unfinished = async ({ url }: RunningApp, { path, headers = '', begin }: Sent): Promise<string> => {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}Content-Length: ${unendedBytes}\r\n\r\n`,
  );
  socket.write(begin);
  return text(socket);
};

const post = (app: RunningApp, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/library/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });

const codeOf = async (response: Response): Promise<unknown> => {
  const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  return errors?.[0]?.extensions.code;
};

for (const path of routes)
  test(`no byte of a body from a caller without access is waited for: ${path}`, async (t) => {
    const app = await openApp(t, {
      accessFilter: () => {
        throw new TributaryError('UNAUTHENTICATED', 'no token');
      },
    });
    for (const headers of ['', 'Content-Encoding: br\r\n', 'Content-Encoding: nonsense\r\n'])
      t.regex(await unfinished(app, { path, headers, begin: '{' }), /^HTTP\/1\.1 401 /);
  });

for (const path of routes)
  test(`no byte more of a body is waited for once those of its caller hold too much: ${path}`, async (t) => {
    const memory = new MemoryAccount(million);
    const other = memory.open({ caller: 'address 127.0.0.1', isStalled: () => false, drop: () => undefined });
    other.add(0.75 * million);
    const app = await openApp(t, { memory });
    const begin = '[1, 2';
    t.regex(await unfinished(app, { path, begin }), /^HTTP\/1\.1 503 [^]*retry-after: \d+/i);
    other.end();
    t.is((await post(app, '{}')).status, 400, 'what was held is free again');
  });

for (const path of routes)
  test(`a body is refused at its hundred and first level, before it has ended: ${path}`, async (t) => {
    const app = await openApp(t);
    t.regex(
      await unfinished(app, { path, begin: '['.repeat(101) }),
      /^HTTP\/1\.1 400 [^]*at most 100 levels/,
    );
  });

const tooMany: Readonly<Record<string, readonly [begin: string, allowed: string]>> = {
  numbers: ['[' + '1,'.repeat(500_000), '500000 values'],
  lists: ['[' + '[],'.repeat(100_000), '100000 lists, objects and keys'],
  objects: ['[' + '{},'.repeat(100_000), '100000 lists, objects and keys'],
  keys: ['{' + '"a":0,'.repeat(100_000), '100000 lists, objects and keys'],
};
for (const path of routes)
  for (const [name, [begin, allowed]] of Object.entries(tooMany))
    test(`a body of very many ${name} is refused before it has ended: ${path}`, async (t) => {
      const app = await openApp(t);
      const answer = await unfinished(app, { path, begin });
      t.regex(answer, /^HTTP\/1\.1 400 /);
      t.true(answer.includes(`JSON of at most ${allowed} expected`), answer);
    });

test('variables that no document uses are refused when they are very many, as text too', async (t) => {
  const app = await openApp(t);
  const variables = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`v${at}`, 0]));
  for (const sent of [variables, JSON.stringify(variables)])
    t.is(
      await codeOf(await post(app, JSON.stringify({ query: '{ __typename }', variables: sent }))),
      'BAD_USER_INPUT',
    );
});

// serial: the process's time would count other tests' too
test.serial('400 000 unused variables in a small packed body take no second of the processor', async (t) => {
  const app = await openApp(t);
  const variables = Object.fromEntries(Array.from({ length: 400_000 }, (_, at) => [`v${at}`, 0]));
  const packed = gzipSync(JSON.stringify({ query: '{ __typename }', variables }));
  const before = process.cpuUsage();
  const response = await post(app, packed, { 'content-encoding': 'gzip' });
  const { user, system } = process.cpuUsage(before);
  t.is(response.status, 400);
  t.regex(await response.text(), /at most 100000 lists, objects and keys expected/);
  t.true(user + system < 1_000_000, `${user + system} µs`);
});

test('long lists of ids and filters of as many conditions as are accepted are not too many', async (t) => {
  const app = await openApp(t);
  const ids = Array.from({ length: 300_000 }, (_, at) => `id${at}`);
  const condition = { op: 'in', content: { fieldName: 'id', value: ['a'] }, pivot: 'b' };
  const filter = { op: 'and', content: Array(maxNodes).fill(condition) };
  for (const variables of [{ ids }, JSON.stringify({ ids }), { filter }, JSON.stringify({ filter })])
    t.is(await codeOf(await post(app, JSON.stringify({ query: '{ __typename }', variables }))), undefined);
});

test('levels are counted across pieces, and not inside strings', async (t) => {
  const app = await openApp(t);
  const variables = (levels: number) =>
    `{"a":${'['.repeat(levels)}"${'[\\"'.repeat(500)}"${']'.repeat(levels)}}`;
  const body = (levels: number) => `{"query":"{ __typename }","variables":${variables(levels)}}`;
  t.is(await codeOf(await post(app, body(98))), undefined);
  t.is(await codeOf(await post(app, body(99))), 'BAD_USER_INPUT');
  const asText = (levels: number) =>
    JSON.stringify({ query: '{ __typename }', variables: variables(levels) });
  t.is(await codeOf(await post(app, asText(99))), undefined);
  t.is(await codeOf(await post(app, asText(100))), 'BAD_USER_INPUT');
});

test('a packed body may hold a hundred times its size, and no more', async (t) => {
  const app = await openApp(t);
  const packed = (spaces: number) =>
    brotliCompressSync(JSON.stringify({ query: '{ __typename }' }) + ' '.repeat(spaces));
  t.true(packed(4 * million).length < 100);
  const send = (body: Buffer) => post(app, body, { 'content-encoding': 'br' });
  t.is(await codeOf(await send(packed(50_000))), undefined);
  t.is(await codeOf(await send(packed(90_000))), 'PAYLOAD_TOO_LARGE');
  t.is(await codeOf(await send(packed(4 * million))), 'PAYLOAD_TOO_LARGE');
});
