import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { readNodes } from '../../src/federation/config/read-nodes.ts';
import { openNetwork } from '../../src/federation/network.ts';
import { TributaryError } from '../../src/errors/errors.ts';
import { maxNodes } from '../../src/sqon/parse.ts';
import { openLinksStore } from '../../src/http/portal/links-routes.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { fieldsOf, searchOf } from '../federation/collection.ts';
import { catalogueOf } from '../federation/remote-server.ts';
import type { AppOptions, RunningApp } from '../http/running-app.ts';
import { runApp } from '../http/running-app.ts';

const million = 1_000_000;

/** Every route that reads a body is there. */
const openApp = async (t: ExecutionContext, options: AppOptions = {}): Promise<RunningApp> => {
  const links = openLinksStore(`${temporaryFolder(t, {})}/links.db`, million);
  t.teardown(links.close);
  const nodes = [{ nodeId: 'east', catalogue: 'east' }];
  const network = openNetwork(readNodes({ network: { documentType: 'tree' }, nodes }, 'nodes.json'), () => {
    const catalogue = catalogueOf('tree', fieldsOf({ id: 'keyword' }), searchOf([{ id: 'a' }]));
    return { status: 'available', config: catalogue.config, catalogue };
  });
  t.teardown(() => network.close());
  await network.ready;
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
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}Content-Length: ${million}\r\n\r\n`,
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
  test(`no byte of a body is waited for once its caller's budget is used up: ${path}`, async (t) => {
    const cost = { maxQueryCost: 0, queryCostPerSecond: 0.001, trustedProxies: 0 };
    const app = await openApp(t, { settings: { cost } });
    await post(app, JSON.stringify({ query: '{ __typename }' }));
    t.regex(await unfinished(app, { path, begin: '{' }), /^HTTP\/1\.1 429 [^]*retry-after: \d+/i);
  });

for (const path of routes)
  test(`a body is refused at its hundred and first level, before it has ended: ${path}`, async (t) => {
    const app = await openApp(t);
    t.regex(
      await unfinished(app, { path, begin: '['.repeat(101) }),
      /^HTTP\/1\.1 400 [^]*at most 100 levels/,
    );
  });

const tooManyParts = {
  lists: '[' + '[],'.repeat(100_000),
  objects: '[' + '{},'.repeat(100_000),
  keys: '{' + '"a":0,'.repeat(100_000),
};
for (const path of routes)
  for (const [name, begin] of Object.entries(tooManyParts))
    test(`a body of very many ${name} is refused before it has ended: ${path}`, async (t) => {
      const app = await openApp(t);
      t.regex(
        await unfinished(app, { path, begin }),
        /^HTTP\/1\.1 400 [^]*JSON of at most 100000 lists, objects and keys expected/,
      );
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

test('long documents cost more than their bytes, whether sent or looked up', async (t) => {
  const cost = { maxQueryCost: 0, queryCostPerSecond: 200, trustedProxies: 0 };
  const query = `{ __typename ${','.repeat(5_000)} }`;
  const sha256Hash = createHash('sha256').update(query).digest('hex');
  const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash } });
  const app = await openApp(t, { settings: { cost } });
  const get = async (params: Record<string, string>) =>
    codeOf(await fetch(`${app.url}/library/graphql?${new URLSearchParams(params).toString()}`));
  t.is(await get({ query: '{ __typename }' }), undefined);
  t.is(await get({ query, extensions }), undefined);
  t.is(await get({ extensions }), 'TOO_MANY_REQUESTS');
});

/** How many threads were started while something was done. */
const threadsStarted = async (work: () => Promise<unknown>): Promise<number> => {
  let started = 0;
  const count = (): void => void (started += 1);
  process.on('worker', count);
  await work();
  process.off('worker', count);
  return started;
};

test.serial('bodies of 64 kB are parsed in a thread, smaller ones where they arrive', async (t) => {
  const app = await openApp(t);
  const body = (bytes: number) => {
    const whole = (values: string) => JSON.stringify({ query: '{ __typename }', variables: { values } });
    return whole('x'.repeat(bytes - whole('').length));
  };
  const small = () => post(app, body(63_999));
  const large = () => post(app, body(64_000));
  t.is(await threadsStarted(async () => t.is(await codeOf(await small()), undefined)), 0);
  t.is(await threadsStarted(async () => t.is(await codeOf(await large()), undefined)), 1);
});

test('the bytes of a body use up the budget of its caller', async (t) => {
  const cost = { maxQueryCost: 0, queryCostPerSecond: 20_000, trustedProxies: 0 };
  const app = await openApp(t, { settings: { cost } });
  const body = JSON.stringify({ query: '{ __typename }', variables: { values: 'x'.repeat(400_000) } });
  for (let n = 0; n < 2; n++) t.is(await codeOf(await post(app, body)), undefined);
  // so many that a busy machine takes no time in which the budget allows them all
  const codes = await Promise.all(Array.from({ length: 20 }, async () => codeOf(await post(app, body))));
  t.true(codes.includes('TOO_MANY_REQUESTS'));
});
