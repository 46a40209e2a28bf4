import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import test from 'ava';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import {
  openGallery,
  openPortal,
  serveGallery,
  type PortalOptions,
} from '../../../federation/download/galleries.ts';
import { noSwitches } from '../../../../src/introspection/fields/catalogue-config.ts';
import { parseSqon } from '../../../../src/sqon/parse.ts';
import { defaultSettings } from '../running-app.ts';

const gallery = (documentType: string) => ({
  documentType,
  properties: { id: { type: 'keyword' }, room: { type: 'keyword' } },
  documents: ['a', 'b', 'c'].map((room) => ({ id: `${documentType}-${room}`, room })),
});

const open = async (
  t: Parameters<typeof openGallery>[0],
  {
    config = {},
    network = {},
    ...options
  }: Partial<PortalOptions> & { config?: object; network?: object } = {},
) => {
  const local = await openGallery(t, { ...gallery('near'), config });
  const graphqlUrl = `${await serveGallery(t, await openGallery(t, gallery('far')))}/graphql`;
  const nodes = {
    network,
    defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
    nodes: [
      { nodeId: 'near', catalogue: 'near' },
      { nodeId: 'far', graphqlUrl, documentType: 'far' },
    ],
  };
  return openPortal(t, { nodes, local, ...options });
};

const params = {
  files: [{ columns: [{ fieldName: '_node' }, { fieldName: '_id' }], sort: [{ fieldName: 'id' }] }],
};

test('the params may come as a form, and as a query', async (t) => {
  const { url } = await open(t);
  const text = JSON.stringify(params);
  const form = await fetch(`${url}/network/download`, {
    method: 'POST',
    body: new URLSearchParams({ params: text }),
  });
  const query = await fetch(`${url}/network/download?params=${encodeURIComponent(text)}`);
  const expected =
    '_node\t_id\nfar\tfar-a\nfar\tfar-b\nfar\tfar-c\nnear\tnear-a\nnear\tnear-b\nnear\tnear-c\n';
  t.is(await form.text(), expected);
  t.is(await query.text(), expected);
  t.is((await fetch(`${url}/network/download`, { method: 'PUT' })).status, 405);
});

test('trailers tell how many records there are of all nodes', async (t) => {
  const { url } = await open(t);
  const request = get(`${url}/network/download?params=${encodeURIComponent(JSON.stringify(params))}`);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  t.like(response.trailers, { 'x-record-count': '6', 'x-complete': 'true' });
});

test('the access filter of a local catalogue holds, and whom no rule lets in gets nothing', async (t) => {
  const { url } = await open(t, {
    accessFilter: (context) => {
      const room = context.get('x-room');
      if (room === '') throw new TributaryError('UNAUTHENTICATED', 'no token');
      return parseSqon({ op: 'in', content: { fieldName: 'room', value: [room] } });
    },
  });
  const send = (headers: Record<string, string>) =>
    fetch(
      `${url}/network/download?params=${encodeURIComponent(JSON.stringify({ ...params, nodesFilter: ['near'] }))}`,
      {
        headers,
      },
    );
  t.is(await (await send({ 'x-room': 'b' })).text(), '_node\t_id\nnear\tnear-b\n');
  t.is((await send({})).status, 401);
});

test('disabled downloads are not found; those of a catalogue without downloads are refused at that node', async (t) => {
  const off = await open(t, {
    settings: {
      network: { ...defaultSettings.network, switches: { ...noSwitches, disableDownloads: true } },
    },
  });
  t.is((await off.download(params)).status, 404);
  t.is((await off.download(params, '/network/download?manifest')).status, 404);
  const { archived, planned } = await open(t, {
    config: { switches: { ...noSwitches, disableDownloads: true } },
  });
  const { text, manifest } = await archived(params);
  t.is(text, '_node\t_id\nfar\tfar-a\nfar\tfar-b\nfar\tfar-c\n');
  const refusal = {
    ...{ nodeId: 'near', state: 'refused', code: 'FORBIDDEN', matches: null },
    stopped: 'does not give its records as downloads',
  };
  t.like(manifest.nodes[1], { ...refusal, rows: 0, rowsComplete: false });
  t.like((await planned(params)).nodes[1], refusal);
});

test('the maximum rows of a local catalogue apply to its part', async (t) => {
  const { archived } = await open(t, {
    config: { downloads: { allowCustomMaxRows: false, maxRows: 2, rowCap: null } },
  });
  const { text, manifest } = await archived(params);
  t.is(text.split('\n').length, 7);
  t.like(manifest.nodes[1], {
    nodeId: 'near',
    rows: 2,
    stopped: 'cut after the 2 rows that it allows in a file',
  });
});

test('filters that are off are refused', async (t) => {
  const { download } = await open(t, {
    settings: { network: { ...defaultSettings.network, switches: { ...noSwitches, disableFilters: true } } },
  });
  const sqon = { op: 'in', content: { fieldName: 'room', value: ['a'] } };
  const response = await download({ files: [{ ...params.files[0], sqon }] });
  t.is(response.status, 400);
  t.regex(await response.text(), /filters are disabled here/);
});

test('without a network there is nothing at its paths', async (t) => {
  const { url } = await open(t);
  t.is((await fetch(`${url}/near/network/download`, { method: 'POST' })).status, 404);
  t.is((await fetch(`${url}/nobody/network/download`, { method: 'POST' })).status, 404);
});

test('a node of this kind reports the origin of its answer on request', async (t) => {
  const far = await openGallery(t, gallery('far'));
  const url = await serveGallery(t, far);
  const send = async (query: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
    return (await response.json()) as { extensions?: { node?: Record<string, unknown> } };
  };
  const query = '{ far { hits { total } } }';
  t.is((await send(query)).extensions, undefined);
  const { node } = (await send(query, { 'tributary-node': '1' })).extensions!;
  t.deepEqual(Object.keys(node!), ['version', 'schema', 'generation', 'lastUpdated']);
  t.like(node, { generation: 'first', lastUpdated });
  t.regex(String(node!['version']), /^Tributary \d/);
  t.regex(String(node!['schema']), /^[0-9a-f]{32}$/);
  far.state.generation = undefined;
  const unknown = { generation: null, lastUpdated: null };
  t.like((await send(query, { 'tributary-node': '1' })).extensions!.node, unknown);
  t.is((await send('{ nothing }', { 'tributary-node': '1' })).extensions, undefined);
  // what was written between two searches of one answer is in one of them only
  let searches = 0;
  Object.defineProperty(far.state, 'generation', { get: () => `after ${(searches += 1)} searches` });
  const twice = '{ far { hits { total } pages: hits(first: 1) { edges { node { id } } } } }';
  t.like((await send(twice, { 'tributary-node': '1' })).extensions!.node, unknown);
  t.is(searches, 2);
});

test('nodes tell when their records were updated to callers who may see all of them, networks do not', async (t) => {
  const accessFilter: PortalOptions['accessFilter'] = (context) =>
    context.get('x-room') === ''
      ? null
      : parseSqon({ op: 'in', content: { fieldName: 'room', value: ['b'] } });
  const { url } = await open(t, { accessFilter, network: { documentType: 'art' } });
  const updates = async (at: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${at}/network/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: '{ network { nodes { nodeId state lastUpdated } } }' }),
    });
    return ((await response.json()) as { data: { network: { nodes: unknown } } }).data.network.nodes;
  };
  const [far, near] = ['far', 'near'].map((nodeId) => ({ nodeId, state: 'ok', lastUpdated }));
  t.deepEqual(await updates(url), [far, near]);
  t.deepEqual(await updates(url, { 'x-room': 'b' }), [far, { ...near, lastUpdated: null }]);
  const above = await openPortal(t, {
    local: await openGallery(t, gallery('third')),
    nodes: {
      defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
      nodes: [{ nodeId: 'both', graphqlUrl: `${url}/network/graphql`, documentType: 'art' }],
    },
  });
  t.deepEqual(await updates(above.url), [{ nodeId: 'both', state: 'ok', lastUpdated: null }]);
});

/** When the records of every gallery were written. */
const lastUpdated = '2026-11-03T00:00:00.000Z';
