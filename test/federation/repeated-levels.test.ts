import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import type { Engine } from '../../src/engines/engine.ts';
import { readNodes } from '../../src/federation/config/read-nodes.ts';
import { openNetwork, type Network } from '../../src/federation/network.ts';
import { createApp } from '../../src/http/app.ts';
import { httpServer } from '../../src/http/koa/http-server.ts';
import { openRegistry } from '../../src/local/registry.ts';
import { libraryEngine, connectionLimits, defaultSettings, noSpools } from '../http/running-app.ts';
import { servePlots } from '../http/plots.ts';
import { listening } from '../listening.ts';

const patienceMs = 60_000;

const openOver = async (t: ExecutionContext, urls: Readonly<Record<string, string>>): Promise<Network> => {
  const nodes = Object.entries(urls).map(([nodeId, graphqlUrl]) => ({
    nodeId,
    graphqlUrl,
    maxDepth: 13,
    headers: ['x-club', 'x-tier', 'x-request-id'],
  }));
  const defaults = { timeoutMs: patienceMs, discoveryTimeoutMs: patienceMs };
  const network = openNetwork(
    readNodes({ network: { documentType: 'plot' }, defaults, nodes }, 'nodes.json'),
    () => undefined,
    { readyWaitMs: patienceMs },
  );
  t.teardown(() => network.close());
  await network.ready;
  return network;
};

/** A network over HTTP, until the test is over; `statuses` of what it answered to questions with a tag. */
const serveOver = async (t: ExecutionContext, urls: Readonly<Record<string, string>>) => {
  const network = await openOver(t, urls);
  const registry = await openRegistry([], libraryEngine(), {});
  const settings = {
    ...defaultSettings,
    bodyLimitBytes: 50_000,
    network: { ...defaultSettings.network, maxDepth: 20 },
  };
  const app = createApp({ registry, network, settings, spools: noSpools, log: pino({ level: 'silent' }) });
  const answer = app.callback();
  const statuses: number[] = [];
  const { server, serve } = httpServer(connectionLimits);
  serve((request, response) => {
    if (request.headers['if-none-match'] !== undefined)
      response.once('finish', () => void statuses.push(response.statusCode));
    void answer(request, response);
  });
  const { url } = await listening(t, server);
  t.teardown(() => registry.close());
  return { url: `${url}/network/graphql`, statuses, network };
};

const query = `query($filters: JSON) { network(filters: $filters) { total nodes { nodeId state }
  aggregations { crop { buckets { key doc_count } } } hits(first: 5, sort: [{ fieldName: "id" }]) { edges { node { id } } } } }`;

const asking = (url: string) => {
  let requests = 0;
  return async (headers: Record<string, string> = {}, source = query, variables: object = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': `r${(requests += 1)}`, ...headers },
      body: JSON.stringify({ query: source, variables }),
    });
    const text = await response.text();
    return { status: response.status, etag: response.headers.get('etag'), text };
  };
};

const ids = (text: string): readonly string[] =>
  (
    JSON.parse(text) as { data: { network: { hits: { edges: { node: { id: string } }[] } } } }
  ).data.network.hits.edges.map(({ node }) => node.id);

test('an answer of a network whose nodes have nothing new is not sent again, over two levels', async (t) => {
  const plots = await servePlots(t);
  const eu = await serveOver(t, { plots: plots.url });
  const root = await serveOver(t, { eu: eu.url });
  const asked = asking(root.url);
  const ask = (headers: Record<string, string> = {}) => asked({ 'x-club': 'north', ...headers });
  const first = await ask({ 'if-none-match': '"-"' });
  t.regex(first.etag!, /^W\/"[\w-]+"$/);
  t.deepEqual(ids(first.text), ['p1', 'p2']);
  const again = await ask({ 'if-none-match': first.etag! });
  t.deepEqual(again, { status: 304, etag: first.etag, text: '' });
  t.deepEqual(eu.statuses, [200, 304]);
  await plots.write('p4', 'chard');
  const changed = await ask({ 'if-none-match': first.etag! });
  t.is(changed.status, 200);
  t.not(changed.etag, first.etag);
  t.deepEqual(ids(changed.text), ['p1', 'p2', 'p4']);
  t.deepEqual(ids((await ask()).text), ['p1', 'p2', 'p4']);
  t.deepEqual(eu.statuses, [200, 304, 200, 304]);
  // those without a club are of the root's discovery
  t.deepEqual(
    plots.sent.filter(({ club }) => club === 'north').map(({ status }) => status),
    [200, 304, 200, 304],
  );
});

test('callers with other rights never share a tag, however their questions are mixed', async (t) => {
  const plots = await servePlots(t);
  const eu = await serveOver(t, { plots: plots.url });
  const root = await serveOver(t, { eu: eu.url });
  const ask = asking(root.url);
  const seen: Readonly<Record<string, readonly string[]>> = {
    north: ['p1', 'p2'],
    south: ['p3'],
    west: [],
  };
  const clubs = Object.keys(seen);
  const tags = new Map<string, string>();
  for (const club of clubs) tags.set(club, (await ask({ 'x-club': club, 'if-none-match': '"-"' })).etag!);
  t.is(new Set(tags.values()).size, clubs.length);
  for (let round = 0; round < 10; round += 1) {
    const pairs = clubs.flatMap((club) => clubs.map((other) => [club, other] as const));
    const order = pairs.map((_, at) => pairs[(at * 5 + round) % pairs.length]!);
    const answers = await Promise.all(
      order.map(([club, other]) => ask({ 'x-club': club, 'if-none-match': tags.get(other)! })),
    );
    for (const [at, [club, other]] of order.entries())
      if (club === other) t.is(answers[at]!.status, 304);
      else t.deepEqual(ids(answers[at]!.text), seen[club]);
  }
});

test('there is no tag where a node gives none, or does not answer', async (t) => {
  const plots = await servePlots(t);
  const others = await servePlots(t);
  const eu = await serveOver(t, { plots: plots.url, others: others.url });
  const ask = asking(eu.url);
  const tagOf = async (headers: Record<string, string> = {}, source?: string, variables?: object) =>
    (await ask({ 'if-none-match': '"-"', ...headers }, source, variables)).etag;
  t.truthy(await tagOf());
  t.is((await ask()).etag, null);
  t.is(await tagOf({ 'x-tier': 'counts' }), null);
  const since = { op: '>=', content: { fieldName: 'sown', value: ['now-1d'] } };
  t.is(await tagOf({}, query, { filters: since }), null);
  t.is(await tagOf({}, '{ network { total } hasValidConfig(documentType: "plot", index: "plots") }'), null);
  t.truthy(await tagOf({}, '{ plot { hits { total } } network { total } }'));
  others.state.isDown = true;
  t.is(await tagOf({}, '{ network { total aggregations { club { buckets { key } } } } }'), null);
});

test('catalogues of the same process have their data, the rights to them and their configuration in the tag', async (t) => {
  const plots = await servePlots(t);
  const ask = asking(plots.networkUrl);
  const first = (await ask({ 'if-none-match': '"-"' })).etag!;
  t.is((await ask({ 'if-none-match': first })).status, 304);
  const north = await ask({ 'if-none-match': first, 'x-club': 'north' });
  t.deepEqual(ids(north.text), ['p1', 'p2']);
  t.not(north.etag, first);
  t.is((await ask({ 'if-none-match': north.etag!, 'x-club': 'north' })).status, 304);
  await plots.write('p4', 'chard');
  t.deepEqual(ids((await ask({ 'if-none-match': first })).text), ['p1', 'p2', 'p3', 'p4']);
});

/** Names the data when it is asked only, as search servers do. */
const namingWhenAsked = (engine: Engine): Engine => ({
  ...engine,
  search: async (...asked) => {
    const { facets, hits, tookMs, warnings } = await engine.search(...asked);
    return { facets, ...(hits && { hits }), tookMs, warnings };
  },
});

test('so have catalogues of an engine whose searches do not name the data', async (t) => {
  const plots = await servePlots(t, namingWhenAsked);
  const ask = asking(plots.networkUrl);
  const first = (await ask({ 'if-none-match': '"-"' })).etag!;
  t.regex(first, /^W\/"[\w-]+"$/);
  t.is((await ask({ 'if-none-match': first })).status, 304);
  t.is((await ask({ 'if-none-match': first, 'x-club': 'north' })).status, 200);
  await plots.write('p4', 'chard');
  const changed = await ask({ 'if-none-match': first });
  t.deepEqual(ids(changed.text), ['p1', 'p2', 'p3', 'p4']);
  t.is((await ask({ 'if-none-match': changed.etag! })).status, 304);
});

test('an engine that does not name its data at all has no tag', async (t) => {
  const plots = await servePlots(t, (engine) => ({
    ...namingWhenAsked(engine),
    generation: async () => null,
  }));
  t.is((await asking(plots.networkUrl)({ 'if-none-match': '"-"' })).etag, null);
});
