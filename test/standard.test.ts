import { createServer } from 'node:http';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { loadConfig, loadRestrictions } from '../src/server/config/load.ts';
import { createApp } from '../src/server/http/app.ts';
import { openNode } from '../src/server/node/open-node.ts';
import { standard } from '../src/standard.ts';
import { temporaryFolder } from './server/config/temporary-folder.ts';
import { postQuery } from './whole/end-to-end/processes.ts';
import { listening } from './listening.ts';

/** A server with one book and the network over it, until the test is over. */
const serve = async (t: ExecutionContext, capabilities: typeof standard): Promise<string> => {
  const env = { DATA_PATH: join(temporaryFolder(t, {}), 'data') };
  const config = loadConfig(env, {
    configs: { north: { documentType: 'book', esIndex: 'books' } },
    nodes: { nodes: [{ nodeId: 'North', catalogue: 'north' }] },
  });
  const node = await openNode(config, {
    ...{ log: pino({ level: 'silent' }), secret: () => undefined, capabilities },
    prepare: async (engine) => {
      const mapping = { properties: { title: { type: 'keyword' } } };
      await engine.manage({ kind: 'create', index: 'books', mapping });
      await engine.write('books', [{ kind: 'upsert', id: 'a', document: { title: 'Atlas' } }]);
    },
  });
  const parts = node.join();
  await parts.networks.get('network')!.ready;
  t.teardown(node.close);
  return (await listening(t, createServer(createApp(parts).callback()))).url;
};

/** A path of each capability, with what asks for it. */
const doors: Readonly<Record<string, string>> = {
  portal: '/explore',
  beacon: '/north/beacon/info',
  agents: '/mcp',
  fair: '/fdp',
};
const found = async (url: string, path: string): Promise<boolean> =>
  (await fetch(url + path, { headers: { accept: 'text/html, */*' } })).status !== 404;

const question = '{ book { hits { total } aggregations { title { buckets { key doc_count } } } } }';
const network = '{ network { total } }';
const files = [{ fileName: 'books.tsv', columns: [{ fieldName: 'title' }] }];

for (const absent of [...standard.map(({ name }) => name), null])
  test(`without ${absent ?? 'any capability'}, a server answers everything else`, async (t) => {
    const present = absent === null ? [] : standard.filter(({ name }) => name !== absent);
    const url = await serve(t, present);
    t.like((await postQuery(`${url}/graphql`, question)).data, {
      book: { hits: { total: 1 }, aggregations: { title: { buckets: [{ key: 'Atlas', doc_count: 1 }] } } },
    });
    t.deepEqual((await postQuery(`${url}/network/graphql`, network)).data, { network: { total: 1 } });
    const download = await fetch(`${url}/download`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ params: { files } }),
    });
    t.is(await download.text(), 'Title\nAtlas\n');
    for (const [name, path] of Object.entries(doors))
      t.is(
        await found(url, path),
        present.some((one) => one.name === name),
        `${name} at ${path}`,
      );
    const { capabilities } = (await (await fetch(`${url}/service-info`)).json()) as {
      capabilities: string[];
    };
    t.deepEqual(capabilities, ['graphql', 'introspection', 'network', ...present.map(({ name }) => name)]);
  });

test('a setting of a capability that is absent refuses the start', async (t) => {
  const folder = temporaryFolder(t, { 'portal.json': '{ "name": "Books" }' });
  const opened = (env: Readonly<Record<string, string>>, absent: string) =>
    openNode(loadConfig({ DATA_PATH: join(folder, 'data'), NODES_PATH: 'off', ...env }), {
      ...{ log: pino({ level: 'silent' }), secret: () => undefined },
      capabilities: standard.filter(({ name }) => name !== absent),
    });
  const file = join(folder, 'portal.json');
  await t.throwsAsync(opened({ PORTAL_PATH: file }, 'portal'), {
    message: `${file} needs the capability portal, which this server does not have`,
  });
  await t.throwsAsync(opened({ BEACON: 'b2', PORTAL_PATH: 'off' }, 'beacon'), {
    message: 'BEACON needs the capability beacon, which this server does not have',
  });
});

test('without joining, nodes that dial in and hubs to dial refuse the start', async (t) => {
  const hub = { name: 'north', url: 'https://north.example', nodeId: 'Here', key: 'k'.repeat(43) };
  const folder = temporaryFolder(t, {
    'nodes.json': JSON.stringify({ nodes: [{ nodeId: 'Oslo', dialsIn: true, documentType: 'book' }] }),
    'hubs.json': JSON.stringify({ hubs: [{ ...hub, catalogue: 'north' }] }),
  });
  const [nodes, hubs] = [join(folder, 'nodes.json'), join(folder, 'hubs.json')];
  const env = { DATA_PATH: join(folder, 'data'), NODES_PATH: nodes, HUBS_PATH: hubs, PORTAL_PATH: 'off' };
  const opened = openNode(loadConfig(env, { configs: books }), {
    ...{ log: pino({ level: 'silent' }), secret: () => undefined },
    capabilities: standard.filter(({ name }) => name !== 'joining'),
  });
  const absent = 'needs the capability joining, which this server does not have';
  await t.throwsAsync(opened, { message: `${nodes}: nodes[0].dialsIn ${absent}; ${hubs}: hubs ${absent}` });
});

const rules = { token: { issuers: [{ issuer: 'https://a.example', jwksUrl: 'https://a.example/keys' }] } };

test('without access, an access file refuses the start, and is not ignored where it comes later', async (t) => {
  const folder = temporaryFolder(t, { 'access.json': JSON.stringify({ ...rules, catalogues: {} }) });
  const file = join(folder, 'access.json');
  const env = { DATA_PATH: join(folder, 'data'), NODES_PATH: 'off', PORTAL_PATH: 'off', AUDIT: 'off' };
  const read = () => loadConfig({ ...env, ACCESS_FILTER_PATH: file }, { configs: books });
  const options = {
    ...{ log: pino({ level: 'silent' }), secret: () => undefined },
    capabilities: standard.filter(({ name }) => name !== 'access'),
  };
  const message = `${file} needs the capability access, which this server does not have`;
  await t.throwsAsync(openNode(read(), options), { message });
  const node = await openNode(loadConfig(env, { configs: books }), options);
  t.teardown(node.close);
  node.join();
  const { access } = read();
  const restrictions = () => ({ access, catalogues: [], problems: [] });
  const { problems } = await node.reload({ read, restrictions }, () => t.fail('nothing is served anew'));
  t.deepEqual(problems, [
    message,
    `${message}: the access rules and keys before hold until this is corrected`,
  ]);
});

test('without audit, what is to be audited refuses the start', async (t) => {
  const env = { DATA_PATH: join(temporaryFolder(t, {}), 'data'), NODES_PATH: 'off', AUDIT: 'required' };
  const opened = openNode(loadConfig(env, { configs: books }), {
    ...{ log: pino({ level: 'silent' }), secret: () => undefined },
    capabilities: standard.filter(({ name }) => name !== 'audit'),
  });
  await t.throwsAsync(opened, { message: /needs the capability audit/ });
});

test('a capability whose hooks were left out serves nothing that needs them', async (t) => {
  const folder = temporaryFolder(t, {
    'access.json': JSON.stringify({ ...rules, catalogues: {} }),
    'data/@released.json': '{}',
  });
  const file = join(folder, 'access.json');
  const env = { DATA_PATH: join(folder, 'data'), NODES_PATH: 'off', ACCESS_FILTER_PATH: file };
  const opened = openNode(loadConfig(env, { configs: { books: { ...books, disclosure: withheld } } }), {
    ...{ log: pino({ level: 'silent' }), secret: () => undefined },
    capabilities: standard.map(({ name }) => ({ name })),
  });
  const { message } = await t.throwsAsync(opened);
  t.deepEqual(
    message.split('; ').map((line) => line.replace(/ needs the capability (\w+), .*/, ' -> $1')),
    [
      `${file} -> access`,
      'the audit trail (AUDIT=off goes without) -> audit',
      'catalogue books: configs, disclosure -> disclosure',
      '@released.json in DATA_PATH -> disclosure',
    ],
  );
});

test('the tests of the rooms before the server know no capability', (t) => {
  const rooms = 'test/{lib,introspection,sqon,engines,search,local,federation,indexing}/**/*.ts';
  const knowing = globSync(rooms).filter((file) =>
    /(standard\.ts|capabilities\/.*)';/.test(readFileSync(file, 'utf8')),
  );
  t.deepEqual(knowing, []);
});

const books = { documentType: 'book', esIndex: 'books' };
const withheld = { unit: 'record', dimensions: [{ fieldName: 'title' }] };

test('without disclosure, nothing that withholds or has withheld records is served', async (t) => {
  const folder = temporaryFolder(t, {
    'configs/north/base.json': JSON.stringify(books),
    'configs/north/disclosure.json': JSON.stringify(withheld),
    'configs/south/catalogue.json': JSON.stringify({ ...books, disclosure: { default: 'records' } }),
    'data/@released.json': '{}',
    'data/releases/north/current': '',
  });
  const env = { CONFIGS_PATH: join(folder, 'configs'), DATA_PATH: join(folder, 'data'), NODES_PATH: 'off' };
  const absent = 'needs the capability disclosure, which this server does not have';
  await t.throwsAsync(
    openNode(loadConfig(env), {
      ...{ log: pino({ level: 'silent' }), secret: () => undefined },
      capabilities: standard.filter(({ name }) => name !== 'disclosure'),
    }),
    {
      message: [
        `catalogue north: disclosure.json ${absent}`,
        `catalogue south: catalogue.json, disclosure ${absent}`,
        `@released.json in DATA_PATH ${absent}`,
        `releases in DATA_PATH ${absent}`,
      ].join('; '),
    },
  );
});

test('a disclosure.json that is added to a server without disclosure closes its catalogue', async (t) => {
  const folder = temporaryFolder(t, { 'configs/north/base.json': JSON.stringify(books) });
  const env = {
    ...{ CONFIGS_PATH: join(folder, 'configs'), DATA_PATH: join(folder, 'data') },
    ...{ NODES_PATH: 'off', PORTAL_PATH: 'off' },
  };
  const node = await openNode(loadConfig(env), {
    ...{ log: pino({ level: 'silent' }), secret: () => undefined },
    prepare: async (engine) => {
      await engine.manage({ kind: 'create', index: 'books', mapping: { properties: {} } });
    },
  });
  t.teardown(node.close);
  node.join();
  t.is(node.now().registry.byId('north')?.status, 'available');
  writeFileSync(join(folder, 'configs/north/disclosure.json'), JSON.stringify(withheld));
  const report = await node.reload(
    { read: () => loadConfig(env), restrictions: () => loadRestrictions(env) },
    () => undefined,
  );
  const absent = 'needs the capability disclosure, which this server does not have';
  t.true(report.problems.includes(`catalogue north: disclosure.json ${absent}`), report.problems.join());
  t.is(node.now().registry.byId('north')?.status, 'failed');
});
