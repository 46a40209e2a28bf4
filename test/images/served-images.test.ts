import { readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import Koa from 'koa';
import { pino } from 'pino';
import { request } from 'undici';
import { openEngine } from '../../src/engines/open/open-engine.ts';
import { openImageStore } from '../../src/images/image-store.ts';
import { readImageHost } from '../../src/images/image-hosts.ts';
import { createRouter, type RouterOptions } from '../../src/library.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { listening } from '../listening.ts';
import { imageHost, png } from './image-host.ts';

const red = png(8, 6);
const blue = png(6, 8, [20, 40, 200]);
type Held = Pick<ExecutionContext, 'teardown'>;

const host = (t: Held) => imageHost(t, { '/red': red, '/blue': blue, '/svg': Buffer.from('<svg/>') });

const properties = {
  id: { type: 'keyword' },
  title: { type: 'keyword' },
  thumbnail: { type: 'keyword' },
  room: { type: 'keyword' },
  views: { type: 'nested', properties: { url: { type: 'keyword' } } },
};

const extended = [
  { fieldName: 'thumbnail', image: true },
  { fieldName: 'views.url', image: true, isArray: true },
  { fieldName: 'title', link: 'https://example.org/title/{value}' },
];

const works = (url: string) => [
  {
    id: 'one',
    title: 'Red',
    room: 'open',
    thumbnail: `${url}/red`,
    views: [{ url: `${url}/red` }, { url: `${url}/blue` }],
  },
  { id: 'two/2 é', title: 'Blue', room: 'open', thumbnail: [`${url}/red`, `${url}/blue`] },
  { id: 'three', title: 'Hidden', room: 'store', thumbnail: `${url}/blue` },
  { id: 'four', title: 'Drawn', room: 'open', thumbnail: `${url}/svg` },
  { id: 'five', title: 'None', room: 'open' },
  { id: 'six', title: 'Elsewhere', room: 'open', thumbnail: 'https://elsewhere.example/a' },
];

/** A server of works of art, whose pictures a host has. */
const serve = async (t: Held, { url }: { readonly url: string }, options: Partial<RouterOptions> = {}) => {
  const data = join(temporaryFolder(t, {}), 'data');
  const engine = await openEngine({ kind: 'embedded', dataPath: data });
  await engine.manage({ kind: 'create', index: 'works', mapping: { properties } });
  await engine.write(
    'works',
    works(url).map((document) => ({ kind: 'upsert', id: `key-${document.id}`, document }) as const),
  );
  await engine.close();
  const router = await createRouter({
    configs: { art: { documentType: 'work', esIndex: 'works', extended } },
    env: { DATA_PATH: data, IMAGE_HOSTS: url, AUDIT: 'off' },
    logger: pino({ level: 'silent' }),
    ...options,
  });
  t.teardown(router.close);
  const app = new Koa().use(router.routes() as unknown as Koa.Middleware);
  const server = await listening(t, createServer(app.callback()));
  const get = async (path: string, headers: Record<string, string> = {}) => {
    // fetch has caches of its own
    const answer = await request(server.url + path, { headers });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const text = (name: string): string => String(answer.headers[name]);
    const error = text('content-type').includes('json')
      ? (JSON.parse(bytes.toString()) as { error: { code: string; message: string } }).error
      : null;
    return { status: answer.statusCode, headers: answer.headers, text, bytes, error };
  };
  return { ...server, get, data };
};

const readers: Readonly<Record<string, object | null>> = {
  all: null,
  visitor: { op: 'in', content: { fieldName: 'room', value: ['open'] } },
};

const started = async (held: Held) => {
  const from = await host(held);
  const art = await serve(held, from, {
    getServerSideFilter: (context) => readers[context.get('x-reader') || 'all'],
  });
  return { from, art };
};

let { from, art }: Partial<Awaited<ReturnType<typeof started>>> = {};
const endings: (() => unknown)[] = [];
test.before(async () => {
  ({ from, art } = await started({ teardown: (end) => void endings.unshift(end) }));
});
test.after.always(async () => {
  for (const end of endings) await end();
});

test('pictures of records: by id or key, of lists by their place, as nothing but pictures', async (t) => {
  const { get } = art!;
  const picture = await get('/art/images/one/thumbnail');
  t.is(picture.status, 200);
  t.true(picture.bytes.equals(red));
  t.like(picture.headers, {
    'content-type': 'image/png',
    'cache-control': 'private, max-age=3600',
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
  });
  t.regex(picture.text('vary'), /authorization/i);
  const again = await get('/art/images/one/thumbnail', { 'if-none-match': picture.text('etag') });
  t.is(again.status, 304);
  for (const [path, bytes] of [
    ['/images/one/thumbnail', red],
    ['/work/images/one/thumbnail/0', red],
    ['/art/images/key-one/thumbnail', red],
    ['/art/images/one/views.url/1', blue],
    [`/art/images/${encodeURIComponent('two/2 é')}/thumbnail/1`, blue],
  ] as const) {
    const found = await get(path);
    t.is(found.status, 200, path);
    t.true(found.bytes.equals(bytes), path);
  }
});

test('failures come by the table of errors, and are kept for a minute', async (t) => {
  for (const [path, status, message] of [
    ['one/title', 404, /no field "title" with pictures/],
    ['one/constructor', 404, /no field "constructor" with pictures/],
    ['one/thumbnail/1', 404, /no such picture/],
    ['one/thumbnail/x', 404, /there is nothing at/],
    ['five/thumbnail', 404, /no such picture/],
    ['nobody/thumbnail', 404, /no such picture/],
    ['*/thumbnail', 404, /no such picture/],
    ['six/thumbnail', 404, /elsewhere\.example is not on the list/],
    ['four/thumbnail', 502, /not a whole JPEG, PNG or WebP picture/],
    ['four/thumbnail', 502, /not a whole JPEG, PNG or WebP picture/],
  ] as const) {
    const { error, text, ...found } = await art!.get(`/art/images/${path}`);
    t.is(found.status, status, path);
    t.regex(error!.message, message);
    if (!path.endsWith('x')) t.is(text('cache-control'), 'private, max-age=60', path);
  }
  t.is(from!.requested.filter((path) => path === '/svg').length, 1);
});

test('a picture is kept, and its record still looked up each time', async (t) => {
  const as = (reader: string) => art!.get('/art/images/three/thumbnail', { 'x-reader': reader });
  t.is((await as('visitor')).status, 404);
  t.is((await as('all')).status, 200);
  t.is((await as('all')).status, 200);
  t.is(from!.requested.filter((path) => path === '/blue').length, 1);
  t.is((await as('visitor')).status, 404);
  t.is((await as('nobody')).status, 403);
  const kept = readdirSync(join(art!.data, 'images')).map((name) =>
    statSync(join(art!.data, 'images', name)),
  );
  t.true(kept.length > 0 && kept.every(({ mode }) => (mode & 0o777) === 0o600));
});

test('configs name the pictures and links of fields', async (t) => {
  const { url } = art!;
  const query = '{ work { configs { extended(keys: ["image", "link"]) } } }';
  const body = JSON.stringify({ query });
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  t.deepEqual(await answer.json(), {
    data: {
      work: {
        configs: {
          extended: [
            { fieldName: 'thumbnail', image: true },
            { fieldName: 'title', link: 'https://example.org/title/{value}' },
            { fieldName: 'views.url', image: true },
          ],
        },
      },
    },
  });
});

test('over a network, each node serves its own pictures by its own names, and the hub checks them', async (t) => {
  // what it sends for this path is none of its pictures
  const hostile = await imageHost(t, { '/images/one/thumbnail/0': Buffer.from('<script>1</script>') });
  const nodes = {
    network: { displayName: 'Museums', documentType: 'work', fields: { picture: 'keyword' } },
    defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
    nodes: [
      { nodeId: 'here', displayName: 'Here', catalogue: 'art', fields: { picture: 'thumbnail' } },
      {
        nodeId: 'there',
        displayName: 'There',
        graphqlUrl: `${art!.url}/art/graphql`,
        documentType: 'work',
        fields: { picture: 'thumbnail' },
      },
      {
        nodeId: 'gone',
        displayName: 'Gone',
        graphqlUrl: `${hostile.url}/graphql`,
        documentType: 'work',
        discoveryTimeoutMs: 200,
      },
    ],
  };
  const hub = await serve(t, from!, { nodes });
  const ofHub = await serve(t, from!, {
    nodes: {
      network: { displayName: 'All', documentType: 'work' },
      defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
      nodes: [
        {
          nodeId: 'museums',
          displayName: 'Museums',
          graphqlUrl: `${hub.url}/network/graphql`,
          documentType: 'work',
        },
      ],
    },
  });
  for (const [{ get }, path] of [
    [hub, '/network/images/here/one/picture'],
    [hub, '/network/images/there/one/picture/0'],
    [hub, `/network/images/there/${encodeURIComponent('two/2 é')}/picture/0`],
    [ofHub, `/network/images/${encodeURIComponent('museums/there')}/one/picture`],
  ] as const) {
    const found = await get(path);
    t.is(found.status, 200, `${path} ${found.bytes.toString()}`);
    t.true(found.bytes.equals(red), path);
    t.is(found.text('content-type'), 'image/png');
    t.is(found.text('x-content-type-options'), 'nosniff');
  }
  for (const [path, status] of [
    ['nobody/one/picture', 404],
    ['there/five/picture', 404],
    ['there/four/picture', 502],
    ['there/one/title', 404],
    ['gone/one/thumbnail', 502],
  ] as const)
    t.is((await hub.get(`/network/images/${path}`)).status, status, path);
  t.deepEqual(
    hostile.requested.filter((path) => path.startsWith('/images')),
    [],
  );
});

const caller = { name: 'somebody', admit: async () => undefined, signal: new AbortController().signal };

test('the oldest pictures make room, and what a host no longer has stays as it was', async (t) => {
  const paths: Record<string, Buffer> = { '/red': red, '/blue': blue };
  const from = await imageHost(t, paths);
  const folder = join(temporaryFolder(t, {}), 'images');
  const settings = { hosts: [readImageHost(from.url)!], folder, maxBytes: 1_000 };
  const store = openImageStore(settings);
  await Promise.all(['/red', '/red', '/red'].map((path) => store.find(from.url + path, caller)));
  t.deepEqual(from.requested, ['/red']);
  const [name] = readdirSync(folder);
  utimesSync(join(folder, name!), 1, 1);
  delete paths['/red'];
  t.true((await store.find(`${from.url}/red`, caller)).bytes.equals(red));
  t.deepEqual(from.requested, ['/red', '/red']);
  // once it has failed, its host is left alone for a while
  await store.find(`${from.url}/red`, caller);
  t.is(from.requested.length, 2);
  writeFileSync(join(folder, 'large'), Buffer.alloc(5_000));
  utimesSync(join(folder, 'large'), 2, 2);
  await openImageStore(settings).find(`${from.url}/blue`, caller);
  const left = readdirSync(folder).map((file) => readFileSync(join(folder, file)));
  t.deepEqual(left, [blue]);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'not a folder');
  t.true((await store.find(`${from.url}/blue`, caller)).bytes.equals(blue));
});

test('a caller waits for at most four pictures at a time, and pays for those that are fetched', async (t) => {
  const waiting: ServerResponse[] = [];
  const names = Array.from({ length: 9 }, (_, at) => `/${at}`);
  const slow = await imageHost(
    t,
    Object.fromEntries(names.map((name) => [name, (_: unknown, response) => void waiting.push(response)])),
  );
  let paid = 0;
  const folder = join(temporaryFolder(t, {}), 'images');
  const store = openImageStore({ hosts: [readImageHost(slow.url)!], folder, maxBytes: 1e6 });
  const one = { ...caller, admit: async () => void (paid += 1) };
  const found = Promise.all(names.map((name) => store.find(slow.url + name, one)));
  for (let left = names.length; left > 0; left -= 1) {
    while (waiting.length < Math.min(4, left)) await setTimeout(5);
    t.true(waiting.length <= 4);
    waiting.shift()!.end(red);
  }
  await found;
  await store.find(`${slow.url}/1`, one);
  t.is(paid, 9);
});
