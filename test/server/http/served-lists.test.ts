import type { ExecutionContext } from 'ava';
import test from 'ava';
import { z } from 'zod';
import { doorsOf } from '../../../src/server/http/capability.ts';
import { standard } from '../../../src/standard.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { readNetworkJson } from '../../../src/federation/config/network-json.ts';
import { openNetwork, type Network } from '../../../src/federation/network.ts';
import { openMetrics } from '../../../src/server/http/ops/metrics.ts';
import fc, { runs } from '../../fast-check.ts';
import { fieldsOf, searchOf } from '../../federation/collection.ts';
import { catalogueOf } from '../../federation/remote-server.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';
import { scriptedEngine } from '../../local/scripted-engine.ts';
import { read, runApp, type RunningApp } from './running-app.ts';
import { available, testNetwork } from '../../builders.ts';

// Whatever a server is made of, each of its lists names exactly what a caller can query, once and by one id, and every
// address that it gives answers.

/** What a server is configured with. */
interface Setup {
  readonly catalogues: readonly {
    readonly state: 'available' | 'failed' | 'closed';
    readonly hasNetwork: boolean;
    readonly isOfBooks: boolean;
  }[];
  /** The network of nodes.json: of one document type, or of two. */
  readonly network: 'none' | 'named' | 'mixed';
  readonly hasToken: boolean;
}

const setups: fc.Arbitrary<Setup> = fc.record({
  catalogues: fc.array(
    fc.record({
      state: fc.constantFrom('available', 'available', 'failed', 'closed'),
      hasNetwork: fc.boolean(),
      isOfBooks: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  network: fc.constantFrom('none', 'named', 'mixed'),
  hasToken: fc.boolean(),
});

/** A name with a letter that addresses encode. */
const idOf = (at: number): string => `shelf ${at}`;

const tree = (documentType: string) =>
  catalogueOf(documentType, fieldsOf({ id: 'keyword', genus: 'keyword' }), searchOf([{ id: 'a' }]));

const serverNetwork = (t: ExecutionContext, kind: Setup['network']): Promise<Network> | null => {
  if (kind === 'none') return null;
  const types = kind === 'named' ? ['tree'] : ['tree', 'bush'];
  const nodes = types.map((type) => ({ nodeId: type, catalogue: tree(type) }));
  return testNetwork(t, nodes, { network: { displayName: 'All' } });
};

const ownNetwork = async (catalogueId: string): Promise<Network> => {
  const config = readNetworkJson({ network: { localNode: { nodeId: 'here' } } }, 'network.json', catalogueId);
  const network = openNetwork(config, () => available(tree('tree')));
  await network.ready;
  return network;
};

/** Three records, of which no values are known; the index `missing` does not exist. */
const engine = () =>
  scriptedEngine({
    describe: (index) => {
      if (index === 'missing') throw new TributaryError('index_not_found', 'the index does not exist');
      return { properties: { id: { type: 'keyword' }, genus: { type: 'keyword' } }, documents: 3 };
    },
    search: ({ hits, facets }) => ({
      ...(hits && { hits: { total: 3, hits: [] } }),
      facets: facets.map(() => ({ kind: 'terms', buckets: [], distinct: 0, missing: 3 })),
    }),
  });

const serve = async (t: ExecutionContext, { catalogues, network }: Setup) => {
  const closed = new Set(catalogues.flatMap(({ state }, at) => (state === 'closed' ? [idOf(at)] : [])));
  const owns = catalogues.flatMap(({ hasNetwork }, at) => (hasNetwork ? [idOf(at)] : []));
  const catalogueNetworks = new Map(
    await Promise.all(owns.map(async (id) => [id, await ownNetwork(id)] as const)),
  );
  const ofServer = await serverNetwork(t, network);
  const app = await runApp(t, {
    catalogues: catalogues.map(({ state, isOfBooks }, at) =>
      bookConfig({
        catalogueId: idOf(at),
        documentType: isOfBooks ? 'book' : `kind${at}`,
        ...(state === 'failed' && { esIndex: 'missing' }),
      }),
    ),
    engine: engine(),
    network: ofServer,
    catalogueNetworks,
    accessFilter: (context, id) => {
      if (closed.has(id) && context.get('authorization') === '')
        throw new TributaryError('UNAUTHENTICATED', 'a bearer token is needed');
      return null;
    },
    doors: doorsOf(standard),
    metrics: openMetrics(),
    settings: {
      metricsToken: 'scrape',
      bodyLimitBytes: 100_000,
      portal: { publicUrl: null, signIn: null, imageHosts: [], look: {} },
    },
  });
  const close = async (): Promise<void> => {
    for (const one of [...catalogueNetworks.values(), ...(ofServer ? [ofServer] : [])]) await one.close();
    app.server.close();
    app.server.closeAllConnections();
  };
  return { app, close };
};

/** The ids that this caller can query, in the order of lists. */
const queryable = ({ catalogues, network, hasToken }: Setup): readonly string[] => {
  const isOpen = ({ state }: Setup['catalogues'][number]): boolean => hasToken || state !== 'closed';
  const isServerOpen = catalogues.some(isOpen);
  return [
    ...(network === 'named' && isServerOpen ? ['network'] : []),
    ...catalogues.flatMap((one, at) =>
      isOpen(one)
        ? [...(one.hasNetwork ? [`${idOf(at)}/network`] : []), ...(one.state === 'failed' ? [] : [idOf(at)])]
        : [],
    ),
  ];
};

const pathTo = (id: string): string => `/${id.split('/').map(encodeURIComponent).join('/')}`;

/** Sends requests as a caller of the setup, and fails for any answer but 200. */
const callerOf = (t: ExecutionContext, { url }: RunningApp, { hasToken }: Setup, what: string) => {
  const headers = hasToken ? { authorization: 'Bearer one' } : {};
  const answered = async (path: string, init: RequestInit = {}): Promise<string> => {
    const response = await fetch(new URL(path, url), { ...init, headers: { ...headers, ...init.headers } });
    const body = await response.text();
    t.is(response.status, 200, `${path} ${what}: ${body.slice(0, 300)}`);
    return body;
  };
  const post = (path: string, body: unknown, more: Record<string, string> = {}): Promise<string> =>
    answered(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    });
  const query = (path: string): Promise<string> => post(path, { query: '{ __typename }' });
  const status = async (path: string): Promise<number> =>
    (await fetch(new URL(path, url), { headers })).status;
  return { answered, post, query, status };
};

type Caller = ReturnType<typeof callerOf>;

const paths = z.object({ graphql: z.string(), introspection: z.string(), fields: z.string().optional() });
const entry = z.object({ status: z.string(), paths });
const list = z.object({
  catalogCount: z.number(),
  mode: z.string(),
  status: z.string(),
  sqonSchemaPath: z.string(),
  catalogs: z.record(z.string(), entry),
  capabilities: z.object({ network: z.boolean() }),
});
const beaconMap = z.object({
  response: z.object({ endpointSets: z.object({ individual: z.object({ rootUrl: z.string() }) }) }),
});
const portalConfig = z.object({ sources: z.array(z.object({ id: z.string(), path: z.string() })) });
const serviceInfo = z.object({ capabilities: z.array(z.string()) });
const elsewhere = z.object({
  error: z.object({
    // none where the only catalogue failed: the answer says why
    details: z
      .object({
        endpoints: z.array(z.string()).default([]),
        downloads: z.array(z.string()).default([]),
      })
      .default({ endpoints: [], downloads: [] }),
  }),
});

const addressesIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/"(http:[^"]+)"/g)].map(([, address]) => address!)),
];

/** The ids in the FAIR Data Point, each of whose addresses answers. */
const inDataPoint = async ({ answered, query }: Caller): Promise<readonly string[]> => {
  const headers = { accept: 'application/ld+json' };
  const catalog = await answered('/fdp/catalog/all', { headers });
  const datasets = addressesIn(catalog).filter((one) => /\/fdp\/dataset\/./.test(one));
  for (const dataset of datasets) {
    const distribution = dataset.replace('/dataset/', '/distribution/');
    assertHas(await answered(dataset, { headers }), distribution);
    const described = addressesIn(await answered(distribution, { headers }));
    await query(described.find((one) => one.endsWith('/graphql'))!);
    await answered(described.find((one) => one.endsWith('/introspection'))!);
  }
  return datasets.map((one) => decodeURIComponent(one.split('/dataset/')[1]!));
};

const assertHas = (text: string, part: string): void => {
  if (!text.includes(part)) throw new Error(`${part} is not in ${text}`);
};

/** The ids that tools for agents list, each of which they describe. */
const inTools = async ({ post }: Caller): Promise<readonly string[]> => {
  const call = (sent: object): Promise<string> =>
    post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'describe', arguments: sent } },
      { accept: 'application/json, text/event-stream' },
    );
  const listed = await call({});
  // what is alone is described at once
  const [, alone] = /"text":"Fields of (.*?):/.exec(listed) ?? [];
  if (alone !== undefined) return [alone];
  const ids = [...listed.matchAll(/\{"id":"([^"]+)","title"/g)].map(([, id]) => id!);
  for (const catalogue of ids) assertHas(await call({ catalogue }), '"fields"');
  return ids;
};

/** Every address of a beacon's map answers. */
const assertBeacon = async ({ answered }: Caller, base: string): Promise<void> => {
  await answered(`${base}/beacon/info`);
  const map = beaconMap.parse(JSON.parse(await answered(`${base}/beacon/map`)));
  await answered(map.response.endpointSets.individual.rootUrl);
};

/** Every address of an entry of a REST introspection answers. */
const assertListed = async (
  { answered, query }: Caller,
  { paths }: z.infer<typeof entry>,
  before = '',
): Promise<void> => {
  await answered(before + paths.introspection);
  if (paths.fields !== undefined) await answered(before + paths.fields);
  await query(before + paths.graphql);
};

const assertSetup = async (t: ExecutionContext, setup: Setup): Promise<void> => {
  const { app, close } = await serve(t, setup);
  const what = JSON.stringify(setup);
  const caller = callerOf(t, app, setup, what);
  const ids = queryable(setup);
  const { catalogues } = setup;
  const isAtNetwork = setup.network === 'none' && catalogues.length === 1;
  try {
    if (ids.length > 0) {
      t.deepEqual(await inDataPoint(caller), ids, `FAIR Data Point ${what}`);
      t.deepEqual(await inTools(caller), ids, `tools ${what}`);
    }
    for (const id of ids) {
      await assertBeacon(caller, pathTo(id));
      await caller.query(`${pathTo(id)}/graphql`);
      await caller.answered(`${pathTo(id)}/introspection`);
      await caller.post(`${pathTo(id)}/download`, {
        files: [{ fileName: 'a.tsv', columns: [{ fieldName: 'id' }] }],
      });
      if (!id.endsWith('network')) continue;
      const { catalogs, sqonSchemaPath } = list.parse(
        JSON.parse(await caller.answered(`${pathTo(id)}/introspection`)),
      );
      await caller.answered(sqonSchemaPath);
      for (const one of Object.values(catalogs))
        for (const before of ['', pathTo(id), ...(isAtNetwork ? ['/network'] : [])])
          await assertListed(caller, one, before);
    }
    const root = list.parse(JSON.parse(await caller.answered('/introspection')));
    t.is(root.catalogCount, catalogues.length, what);
    t.is(root.mode, catalogues.length === 1 ? 'single' : 'multiple', what);
    const failed = catalogues.filter(({ state }) => state === 'failed').length;
    t.is(root.status, failed === 0 ? 'healthy' : failed < catalogues.length ? 'degraded' : 'unhealthy', what);
    t.deepEqual(
      Object.keys(root.catalogs),
      catalogues.map((_, at) => idOf(at)),
      what,
    );
    for (const [at, { state }] of catalogues.entries()) {
      const one = root.catalogs[idOf(at)]!;
      t.is(one.status, state === 'failed' ? 'failed' : 'available', what);
      if (ids.includes(idOf(at))) await assertListed(caller, one);
      if (state !== 'failed') continue;
      assertHas(await caller.answered(one.paths.introspection), '"status":"failed"');
      for (const path of ['graphql', 'download', 'beacon', 'elsewhere'])
        t.is(await caller.status(`${pathTo(idOf(at))}/${path}`), 404, `${path} ${what}`);
    }
    const networks = [
      ...(setup.network === 'none' ? [] : ['network']),
      ...catalogues.flatMap(({ hasNetwork }, at) => (hasNetwork ? [`${idOf(at)}/network`] : [])),
    ];
    const { sources } = portalConfig.parse(JSON.parse(await caller.answered('/portal/config.json')));
    const shown = sources.map(({ id }) => id);
    t.deepEqual([...shown].sort(), [...networks, ...catalogues.map((_, at) => idOf(at))].sort(), what);
    for (const { id, path } of sources) t.is(`/${path}`, pathTo(id), what);
    const metrics = await caller.answered('/metrics', { headers: { authorization: 'Bearer scrape' } });
    const watched = [...metrics.matchAll(/^tributary_node_state\{network="([^"]+)"/gm)].map(([, id]) => id!);
    t.deepEqual([...new Set(watched)], networks, what);
    const { capabilities } = serviceInfo.parse(JSON.parse(await caller.answered('/service-info')));
    t.is(capabilities.includes('network'), root.capabilities.network, what);
    for (const path of ['graphql', 'download']) {
      const { details } = elsewhere.parse((await read(app.get(`/nothing/${path}`))).body).error;
      const addresses = [...details.endpoints, ...details.downloads];
      t.true(addresses.length >= ids.length, what);
      for (const address of addresses) t.not(await caller.status(address), 404, `${address} ${what}`);
    }
  } finally {
    await close();
  }
};

test('every list names what can be queried, and every address in it answers', async (t) => {
  await fc.assert(
    fc.asyncProperty(setups, (setup) => assertSetup(t, setup)),
    { numRuns: runs(24) },
  );
});

test('a failed catalogue, a mixed network, a network of its own and a closed catalogue at once', async (t) => {
  const one = { hasNetwork: false, isOfBooks: true } as const;
  for (const network of ['none', 'mixed', 'named'] as const)
    for (const hasToken of [false, true])
      await assertSetup(t, {
        catalogues: [
          { ...one, state: 'available', hasNetwork: true },
          { ...one, state: 'failed' },
          { ...one, state: 'closed', hasNetwork: true },
        ],
        ...{ network, hasToken },
      });
});

test('the network of the only catalogue has one id, and its address may be repeated', async (t) => {
  await assertSetup(t, {
    catalogues: [{ state: 'available', hasNetwork: true, isOfBooks: true }],
    ...{ network: 'none', hasToken: false },
  });
});
