import { createServer } from 'node:http';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { loadConfig, loadRestrictions } from '../../../src/server/config/load.ts';
import { createApp, type AppParts } from '../../../src/server/http/app.ts';
import { openTakeOver } from '../../../src/server/http/koa/take-over.ts';
import { sound } from '../../../src/server/node/networks.ts';
import { openNode } from '../../../src/server/node/open-node.ts';
import { standard } from '../../../src/standard.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { fieldsOf, searchOf } from '../../federation/collection.ts';
import { serveCatalogue } from '../../federation/remote-server.ts';
import { listening } from '../../listening.ts';
import { identityIn } from '../../../src/capabilities/joining/open-tunnels.ts';
import { openHub } from '../../capabilities/joining/tunnels.ts';

/** How many random edits are made; CI makes few of them. */
const edits = Number(process.env['EDITS'] ?? 20);

const titles = Array.from({ length: 3_000 }, (_, at) => `Title ${at}`);

/** One number in every file, by which answers tell which files they are from. */
const filesOf = (
  version: number,
  urls: { readonly node: string; readonly hub: string; readonly key: string },
  hasTapes = true,
) => ({
  'configs/books/base.json': { documentType: 'book', esIndex: 'books', description: `v${version}` },
  'configs/books/extended.json': [{ fieldName: 'title', displayName: `v${version}` }],
  'configs/books/table.json': { columns: [{ fieldName: 'title', show: true, displayName: `v${version}` }] },
  'configs/books/facets.json': { aggregations: [{ fieldName: 'title', show: version % 2 === 0 }] },
  ...(hasTapes && { 'configs/tapes/base.json': { documentType: 'tape', esIndex: 'books' } }),
  'nodes.json': {
    network: { displayName: `v${version}` },
    defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
    nodes: [
      { nodeId: 'here', displayName: `v${version}`, catalogue: 'books' },
      { nodeId: 'there', documentType: 'tree', graphqlUrl: urls.node, fields: { title: 'genus' } },
    ],
  },
  'hubs.json': {
    hubs: [{ name: 'hub', url: urls.hub, nodeId: 'oslo', key: urls.key, catalogue: 'books' }],
  },
  'portal.json': { name: `v${version}` },
  'access.json': {
    token: { algorithms: ['ES256'] },
    catalogues: { books: { public: 'everything' }, ...(hasTapes && { tapes: { public: 'everything' } }) },
    network: { public: 'everything' },
  },
});

/** Faults of a file, each of which refuses the whole. */
const faults: readonly ((content: object) => string | null)[] = [
  () => '{',
  () => '',
  (content) => JSON.stringify(content).slice(0, -3),
  // missing
  () => null,
];

const body = (query: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query }),
});

/** A server over these files that dials a hub and has a remote node; it reads them when it is told to. */
const serve = async (t: ExecutionContext) => {
  const rows = [{ id: 't1', genus: 'Acer' }];
  const remote = await serveCatalogue('tree', fieldsOf({ id: 'keyword', genus: 'keyword' }), searchOf(rows));
  t.teardown(remote.close);
  const hub = await openHub(t);
  const urls = { node: remote.url, hub: hub.url, key: hub.identity.thumbprint };
  const folder = temporaryFolder(t, filesOf(0, urls));
  const env = {
    ...{ CONFIGS_PATH: join(folder, 'configs'), DATA_PATH: join(folder, 'data'), SERVER_HOST: '127.0.0.1' },
    ...{ NODES_PATH: join(folder, 'nodes.json'), HUBS_PATH: join(folder, 'hubs.json') },
    ...{ PORTAL_PATH: join(folder, 'portal.json'), ACCESS_FILTER_PATH: join(folder, 'access.json') },
    JWKS_URL: 'http://127.0.0.1:1/',
  };
  const key = identityIn(loadConfig(env)).thumbprint;
  hub.known.set('oslo', { key, secretHashed: null });
  const member = hub.hub.node('oslo', key);
  const connections: boolean[] = [];
  const connected = new Promise<void>((resolve) => {
    member.onChange((is) => {
      connections.push(is);
      resolve();
    });
  });
  const read = () => sound(loadConfig(env), standard);
  const node = await openNode(read(), {
    log: pino({ level: 'silent' }),
    secret: () => undefined,
    capabilities: standard,
    prepare: async (engine) => {
      const properties = { title: { type: 'keyword' } };
      await engine.manage({ kind: 'create', index: 'books', mapping: { properties } });
      await engine.write(
        'books',
        titles.map((title) => ({ kind: 'upsert', id: title, document: { title } }) as const),
      );
    },
  });
  t.teardown(node.close);
  const takeOver = openTakeOver();
  const serveApp = (app: AppParts, ended?: () => void): void =>
    takeOver.serve((late) => createApp({ ...app, late }).callback(), ended);
  const joined = node.join();
  await joined.networks.get('network')!.ready;
  serveApp(joined);
  const { url } = await listening(t, createServer(takeOver.answer));
  for (const { listening: dial } of node.opened) dial?.(url, takeOver.answer, {});
  await connected;
  return {
    ...{ url, urls, folder, node, connections },
    reload: () => node.reload({ read, restrictions: () => loadRestrictions(env) }, serveApp),
  };
};

/** Pseudorandom numbers below a limit, the same in every run. */
const numbers = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % below;
  };
};

const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
  [
    '/network/graphql',
    body(
      '{ network { total nodes { nodeId name status } } here { book { configs { extended table { columns { displayName } } } } } }',
    ),
  ],
  [
    '/books/graphql',
    body('{ book { configs { extended table { columns { displayName } } } hits { total } } }'),
  ],
  ['/introspection'],
  ['/network', { headers: { accept: 'application/json' } }],
  ['/portal/config.json'],
];

/** All versions that an answer is from: more than one is a mixture. */
const versionsIn = (text: string): readonly number[] => [
  ...new Set((text.match(/"v\d+"/g) ?? []).map((one) => Number(one.slice(2, -1)))),
];

const collect = async (): Promise<void> => {
  setFlagsFromString('--expose-gc');
  for (let time = 0; time < 5; time += 1) {
    await new Promise(setImmediate);
    (runInNewContext('gc') as () => void)();
  }
};

test('random edits of every file under traffic: answers are of one configuration, none is refused, no membership is lost', async (t) => {
  t.timeout(3_600_000);
  const { url, urls, folder, node, connections, reload } = await serve(t);
  const below = numbers(7);
  const network = () => node.now().networks.get('network')!.state().nodes[1]!;
  const { since } = network();
  const wrong = new Set<number>();
  let [served, latest, isOver, answers] = [0, 0, false, 0];
  const check = (what: string, text: string, from: number): void => {
    answers += 1;
    const versions = versionsIn(text);
    t.is(versions.length, 1, `${what}: ${text.slice(0, 2_000)}`);
    const [version] = versions as [number];
    t.true(version >= from && version <= latest && !wrong.has(version), `${what}: ${version}, from ${from}`);
  };
  const query = async (): Promise<void> => {
    for (let at = 0; !isOver; at += 1) {
      const [path, init] = requests[at % requests.length]!;
      const from = served;
      const response = await fetch(`${url}${path}`, init);
      const text = await response.text();
      t.is(response.status, 200, `${path} ${text}`);
      t.false(/"errors":/.test(text), text);
      check(path, text, from);
    }
  };
  const download = async (): Promise<void> => {
    const params = encodeURIComponent(
      JSON.stringify({
        files: [{ fileName: 'books.tsv', columns: [{ fieldName: 'title', Header: 'Title', show: true }] }],
      }),
    );
    while (!isOver) {
      const text = await (await fetch(`${url}/books/download?params=${params}`)).text();
      t.is(text.trimEnd().split('\n').length, titles.length + 1, text.slice(0, 500));
    }
  };
  const traffic = Promise.all([query(), query(), download()]);
  const before = [new WeakRef(node.now().registry)];
  const heaps: number[] = [];
  for (let version = 1; version <= edits; version += 1) {
    const hasTapes = below(3) > 0;
    const files = Object.entries(filesOf(version, urls, hasTapes));
    const names = files.filter(([name]) => !name.includes('tapes'));
    const broken = below(2) === 0 ? names[below(names.length)]! : null;
    rmSync(join(folder, 'configs/tapes'), { recursive: true, force: true });
    if (hasTapes) mkdirSync(join(folder, 'configs/tapes'));
    for (const [name, content] of files) writeFileSync(join(folder, name), JSON.stringify(content));
    const text = broken && faults[below(faults.length)]!(broken[1]);
    if (broken !== null && text === null) rmSync(join(folder, broken[0]));
    if (text !== null) writeFileSync(join(folder, broken![0]), text);
    if (broken === null) latest = version;
    else wrong.add(version);
    const { changes, problems } = await reload();
    const told = `${version} ${broken?.[0]} ${text}: ${JSON.stringify({ changes, problems })}`;
    t.is(problems.length > 0, broken !== null, told);
    // rules of the access file hold alone
    t.is(
      changes.some((change) => !change.startsWith(join(folder, 'access.json'))),
      broken === null,
      told,
    );
    if (broken === null) served = version;
    if (version < edits / 2) before.push(new WeakRef(node.now().registry));
    while (answers < version * 2) await Promise.race([traffic, new Promise(setImmediate)]);
    if (version % 100 === 0) {
      await collect();
      heaps.push(process.memoryUsage().heapUsed);
    }
  }
  isOver = true;
  await traffic;
  t.deepEqual(connections, [true]);
  t.is(network().since, since);
  t.log(`${answers} answers, heap ${heaps.map((bytes) => Math.round(bytes / 1e6)).join(', ')} MB`);
  await collect();
  t.deepEqual(
    before.filter((one) => one.deref() !== undefined && one.deref() !== node.now().registry),
    [],
  );
});
