import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { checkNetwork } from '../../../src/cli/check/check-network.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import { openRegistry } from '../../../src/local/registry.ts';
import { openNaiveEngine } from '../../engines/naive.ts';
import { fieldsOf, searchOf } from '../../federation/collection.ts';
import { deadUrl, serveCatalogue } from '../../federation/remote-server.ts';
import { listening } from '../../listening.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { runHere } from '../run-here.ts';

interface Report {
  readonly fine: boolean;
  readonly messages: readonly string[];
  readonly networks: readonly {
    readonly nodes: readonly object[];
    readonly fields: readonly { path: string }[];
  }[];
}

const base = { documentType: 'tree', esIndex: 'park' };

const addCatalogue = async (folder: string, id: string): Promise<void> => {
  await mkdir(path.join(folder, 'configs', id), { recursive: true });
  await writeFile(path.join(folder, 'configs', id, 'base.json'), JSON.stringify(base));
};

/** A folder with one catalogue that is loaded, and a network of it, a remote node and one that is gone. */
const openFolder = async (t: ExecutionContext, network: object = {}) => {
  const folder = temporaryFolder(t, {
    'configs/park/base.json': base,
    'park.ndjson': '{"id":"p1","genus":"Acer","height":12}\n',
  });
  const remote = await serveCatalogue(
    'tree',
    fieldsOf({ id: 'keyword', taxon: 'keyword', height: 'keyword' }),
    searchOf([{ id: 'c1' }]),
  );
  t.teardown(remote.close);
  const settings = {
    CONFIGS_PATH: path.join(folder, 'configs'),
    DATA_PATH: path.join(folder, 'data'),
    NODES_PATH: path.join(folder, 'nodes.json'),
    NODE_ENV: 'production',
  };
  await runHere(['load', path.join(folder, 'park.ndjson'), '--index', 'park'], {
    ...settings,
    NODES_PATH: 'off',
  });
  const nodes = [
    { nodeId: 'park', catalogue: 'park' },
    {
      nodeId: 'city',
      graphqlUrl: `${remote.url}?key=hidden`,
      documentType: 'tree',
      fields: { genus: 'taxon' },
      discoveryTimeoutMs: 120_000,
    },
    { nodeId: 'gone', graphqlUrl: await deadUrl(), documentType: 'tree', discoveryTimeoutMs: 300 },
  ];
  await writeFile(settings.NODES_PATH, JSON.stringify({ network, nodes }, null, 2));
  return { settings, folder };
};

test('nodes that dial in are left to the running server: nothing is sent to them, and they are nothing wrong', async (t) => {
  const { settings } = await openFolder(t);
  const nodes = [
    { nodeId: 'park', catalogue: 'park' },
    { nodeId: 'oslo', dialsIn: true, key: 'k'.repeat(43), documentType: 'tree' },
    { nodeId: 'bergen', dialsIn: true },
  ];
  await writeFile(settings.NODES_PATH, JSON.stringify({ nodes }));
  const { code, output } = await runHere(['check', '--json'], settings);
  t.is(code, 0, output);
  const { networks } = JSON.parse(output) as Report;
  const without = { dialsIn: true, address: null, reachability: null };
  t.like(networks[0]!.nodes, [
    { nodeId: 'park', dialsIn: false, state: 'ok' },
    { nodeId: 'oslo', ...without, state: 'disconnected' },
    { nodeId: 'bergen', ...without, state: 'invited' },
  ]);
  const shown = await runHere(['check'], settings);
  t.regex(
    shown.output,
    /node oslo: disconnected, as it dials in, only the server of this network knows whether it is there, and none runs here/,
  );
  t.notRegex(shown.output, /http:\/\/tunnel/);
  t.regex(shown.output, /^capabilities: joining, access, audit, disclosure, portal, beacon, agents, fair$/m);
});

test('a network that waits for its first member is checked as it is served, and invites', async (t) => {
  const folder = temporaryFolder(t, { 'nodes.json': { nodes: [] } });
  const settings = {
    ...{ CONFIGS_PATH: path.join(folder, 'configs'), DATA_PATH: path.join(folder, 'data') },
    ...{ NODES_PATH: path.join(folder, 'nodes.json'), PUBLIC_URL: 'https://hub.example.org' },
  };
  const { code, output } = await runHere(['check'], settings);
  t.is(code, 0, output);
  t.regex(output, /nodes\.json names no node yet/);
  t.is((await runHere(['invite', 'oslo'], settings)).code, 0);
  t.regex((await runHere(['check'], settings)).output, /node oslo: invited/);
});

test('which fields a node that dials in has is what the running server says', async (t) => {
  const nodes = [
    { nodeId: 'oslo', dialsIn: true, key: 'k'.repeat(43), documentType: 'tree' },
    { nodeId: 'bergen', dialsIn: true },
  ];
  const network = readNodes(
    { network: { fields: { genus: 'keyword', height: 'double' } }, nodes },
    'nodes.json',
  );
  const registry = await openRegistry([], openNaiveEngine(), {});
  t.teardown(registry.close);
  const covered = { nodeId: 'oslo', state: 'covered', path: 'taxon', type: 'keyword', reason: null } as const;
  const field = { path: 'genus', name: 'genus', type: 'keyword', isArray: false, nodes: [covered] };
  const live = {
    nodes: new Map([['oslo', { nodeId: 'oslo', state: 'ok' }]] as const),
    fields: [field, { ...field, path: 'age', name: 'age' }],
  };
  const { fields } = await checkNetwork(network, registry, { env: {}, maxDepth: 7, live });
  const states = fields.map(({ path: at, nodes: cells }) => [at, ...cells.map(({ state }) => state)]);
  t.deepEqual(states, [
    ['genus', 'covered', 'unknown'],
    ['height', 'unknown', 'unknown'],
    ['age', 'covered', 'unknown'],
  ]);
  t.deepEqual(fields[0]!.nodes[0], covered);
});

test('each node is tried, the fields stand against the nodes, and what others cannot do here is reported', async (t) => {
  const { settings } = await openFolder(t);
  const { code, output } = await runHere(['check', '--json'], settings);
  t.is(code, 1, 'a node is gone');
  t.false(output.includes('hidden'));
  const { fine, messages, networks } = JSON.parse(output) as Report;
  t.false(fine);
  t.true(messages.some((message) => /introspection is off for park .* cannot discover it/.test(message)));
  t.like(networks[0]!.nodes, [
    { nodeId: 'park', state: 'ok', reachability: null },
    {
      nodeId: 'city',
      state: 'ok',
      inferred: false,
      reachability: { reachable: true, status: 200, tls: null },
    },
    {
      nodeId: 'gone',
      state: 'discoveryFailed',
      code: 'NODE_DISCOVERY_FAILED',
      reachability: { reachable: false, reason: 'connection refused' },
    },
  ]);
  t.like(
    networks[0]!.fields.find((field) => field.path === 'genus'),
    {
      nodes: [{ state: 'covered', path: 'genus' }, { state: 'covered', path: 'taxon' }, { state: 'unknown' }],
    },
  );
  t.like(
    networks[0]!.fields.find((field) => field.path === 'height'),
    {
      nodes: [{ state: 'covered' }, { state: 'conflict', type: 'keyword' }, { state: 'unknown' }],
    },
  );
});

test('--write declares what was found, and then nothing more', async (t) => {
  const { settings } = await openFolder(t, { displayName: 'Trees', fields: { height: 'double' } });
  const first = await runHere(['check', '--write'], settings);
  t.regex(first.output, /nodes\.json declares \d+ more fields now, describes \d+ more/);
  const { network } = JSON.parse(await readFile(settings.NODES_PATH, 'utf8')) as {
    network: Record<string, unknown>;
  };
  t.is(network['displayName'], 'Trees');
  t.like(network['extended'], [{ fieldName: 'genus', displayName: 'Genus' }, { fieldName: 'height' }]);
  t.deepEqual([network['table'], network['facets']], [undefined, undefined]);
  t.like(network['fields'], { height: 'double', genus: 'keyword', id: 'keyword' });
  const second = await runHere(['check', '--write'], settings);
  t.regex(second.output, /nodes\.json declares all fields found already/);
});

test('a network.json cannot take fields, a credential that is not set is reported, and an unknown option is refused', async (t) => {
  const { settings, folder } = await openFolder(t);
  const established = { network: { localNode: { nodeId: 'here' } } };
  await writeFile(path.join(folder, 'configs/park/network.json'), JSON.stringify(established));
  const refused = await runHere(['check', '--write'], { ...settings, NODES_PATH: 'off' });
  t.is(refused.code, 1);
  t.regex(
    refused.output,
    /nothing was written: there is no nodes\.json; a network\.json cannot declare fields/,
  );
  const remote = {
    nodeId: 'x',
    graphqlUrl: 'http://127.0.0.1:1/',
    documentType: 'tree',
    credential: { header: 'x-key', env: 'X_KEY' },
  };
  await writeFile(settings.NODES_PATH, JSON.stringify({ nodes: [remote] }));
  const unset = await runHere(['check'], settings);
  t.is(unset.code, 1);
  t.regex(unset.output, /node "x": credential\.env names X_KEY, which is not set/);
  t.regex(unset.output, /catalogue park \(tree\): available/, 'all else is checked');
  t.is((await runHere(['check', '--jsn'], settings)).code, 2);
});

test('names and values of nodes.json that fit nothing are found', async (t) => {
  const { settings, folder } = await openFolder(t);
  await addCatalogue(folder, 'grove');
  const nodes = [
    { nodeId: 'park', catalogue: 'park', values: { genus: { Acer: 'Maple' }, genis: { a: 'b' } } },
    { nodeId: 'again', catalogue: 'grove', values: { genus: { Acer: 'maple' } } },
  ];
  const network = { catalogue: { describes: { person: 'genuss' } } };
  await writeFile(settings.NODES_PATH, JSON.stringify({ network, nodes }));
  const { code, output } = await runHere(['check'], settings);
  t.is(code, 1);
  for (const line of [
    'network.catalogue.describes.person: there is no field genuss: did you mean genus?',
    'values.genus: "Maple" (park) and "maple" (again) are spellings of one value: choose one of them',
    'node park: values.genis: the node has no field "genis": did you mean "genus"?',
  ])
    t.is(output.split(line).length, 2, line);
});

test('a default sort by a field that a node writes in its own values is told, also while the node is away', async (t) => {
  const defaultSorting = ['height', 'genus'].map((fieldName) => ({ fieldName }));
  const { settings } = await openFolder(t);
  const nodes = [
    { nodeId: 'park', catalogue: 'park' },
    {
      nodeId: 'oslo',
      dialsIn: true,
      key: 'k'.repeat(43),
      documentType: 'tree',
      values: { genus: { A: 'Acer' } },
    },
  ];
  await writeFile(settings.NODES_PATH, JSON.stringify({ network: { table: { defaultSorting } }, nodes }));
  const { code, output } = await runHere(['check'], settings);
  t.is(code, 0, output);
  t.true(
    output.includes(
      'network.table.defaultSorting[1].fieldName: node "oslo" writes genus in its own values: sort by another field',
    ),
    output,
  );
  t.notRegex(output, /defaultSorting\[0\]/);
});

test('values are compared with those of the records, and a wrong documentType with the catalogues there are', async (t) => {
  const { settings, folder } = await openFolder(t);
  await addCatalogue(folder, 'grove');
  const trees = ['Acer', 'Acer', 'acer', 'Tilia', 'Fagus'].map((genus, at) =>
    JSON.stringify({ id: `q${at}`, genus }),
  );
  await writeFile(path.join(folder, 'more.ndjson'), `${trees.join('\n')}\n`);
  await runHere(['load', path.join(folder, 'more.ndjson'), '--index', 'park'], {
    ...settings,
    NODES_PATH: 'off',
  });
  const remote = await serveCatalogue('tree', fieldsOf({ id: 'keyword' }), searchOf([]));
  t.teardown(remote.close);
  const nodes = [
    { nodeId: 'park', catalogue: 'park', values: { genus: { Acer: 'Maple', Ginkgo: 'Ginkgo tree' } } },
    { nodeId: 'turned', catalogue: 'grove', values: { genus: { Lime: 'Tilia' } } },
    { nodeId: 'bush', graphqlUrl: remote.url, documentType: 'bush' },
  ];
  await writeFile(settings.NODES_PATH, JSON.stringify({ nodes }));
  const { output } = await runHere(['check'], settings);
  for (const line of [
    'node park: values.genus: no record there has "Ginkgo"',
    'node park: values.genus of no node maps "Fagus" (1), "acer" (1): shown as it is',
    'node turned: values.genus is the wrong way round: the node holds "Tilia" (1); its own value comes first: {"Tilia":"Lime"}',
    'has no root field "bush" (documentType): its catalogues are "tree"',
  ])
    t.true(output.includes(line), `${line}\n${output}`);
});

test('units and constants stand in the table, and those that do not fit are reported', async (t) => {
  const { settings } = await openFolder(t);
  const nodes = [
    {
      nodeId: 'park',
      catalogue: 'park',
      units: { genus: { factor: 2 }, heigt: { factor: 2 } },
      constants: { site: 'Park', height: 3 },
    },
  ];
  await writeFile(settings.NODES_PATH, JSON.stringify({ network: { documentType: 'tree' }, nodes }));
  const { code, output } = await runHere(['check'], settings);
  t.is(code, 1);
  for (const line of [
    'node park: units.heigt: the node has no field "heigt": did you mean "height"?',
    'node "park": units.genus does not apply: "genus" is keyword there, not a number',
    'node "park": constants.height hides its own field of that name',
  ])
    t.true(output.includes(line), `${line}\n${output}`);
  t.regex(output, /site +keyword +"Park"/);
});

test('a node whose address refuses a query is not ok, and queries have its credential', async (t) => {
  const { settings } = await openFolder(t);
  const remote = await serveCatalogue('tree', fieldsOf({ id: 'keyword' }), searchOf([{ id: 'c1' }]));
  t.teardown(remote.close);
  const gate = createServer(async (request, response) => {
    const body = await text(request);
    const isLetIn = request.headers['x-key'] === 'open' || !body.includes('"{ __typename }"');
    if (!isLetIn) return void response.writeHead(401).end('{}');
    const answer = await fetch(remote.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  const { url } = await listening(t, gate);
  const node = {
    nodeId: 'city',
    graphqlUrl: `${url}/graphql`,
    documentType: 'tree',
  };
  const checked = async (entry: object) => {
    await writeFile(settings.NODES_PATH, JSON.stringify({ nodes: [entry] }));
    const { code, output } = await runHere(['check', '--json'], { ...settings, CITY_KEY: 'open' });
    return { code, node: (JSON.parse(output) as Report).networks[0]!.nodes[0]! };
  };
  const refused = await checked(node);
  t.is(refused.code, 1);
  t.like(refused.node, {
    state: 'refused',
    reason: 'it answers a query with HTTP 401',
    reachability: { status: 401 },
  });
  const known = await checked({ ...node, credential: { header: 'x-key', env: 'CITY_KEY' } });
  t.like(known.node, { state: 'ok', reachability: { status: 200 } });
  t.is(known.code, 0);
});

test('at most 64 addresses are probed at the same time', async (t) => {
  const open = { now: 0, most: 0, all: 0 };
  const server = createServer(async (request, response) => {
    const isProbe = (await text(request)).includes('{ __typename }');
    if (isProbe) open.most = Math.max(open.most, (open.now += 1));
    setTimeout(() => {
      if (isProbe) open.all += 1;
      if (isProbe) open.now -= 1;
      response.writeHead(404).end('{}');
    }, 50);
  });
  const { url } = await listening(t, server);
  const nodes = Array.from({ length: 100 }, (_, at) => ({
    nodeId: `n${at}`,
    documentType: 'tree',
    graphqlUrl: `${url}/${at}`,
    timeoutMs: 60_000,
  }));
  const registry = await openRegistry([], openNaiveEngine(), {});
  t.teardown(registry.close);
  const checked = await checkNetwork(readNodes({ nodes }, 'nodes.json'), registry, { env: {}, maxDepth: 7 });
  t.true(checked.nodes.every(({ reachability }) => reachability?.status === 404));
  t.is(open.all, 100);
  t.true(open.most <= 64, `${open.most} at once`);
});
