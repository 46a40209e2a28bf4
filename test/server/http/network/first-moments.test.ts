import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { readNodes } from '../../../../src/federation/config/read-nodes.ts';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { doorsOf } from '../../../../src/server/http/capability.ts';
import { standard } from '../../../../src/standard.ts';
import { openNetwork } from '../../../../src/federation/network.ts';
import type { CatalogueState } from '../../../../src/search/catalogue.ts';
import { fieldsOf, searchOf } from '../../../federation/collection.ts';
import { catalogueOf } from '../../../federation/remote-server.ts';
import { listening } from '../../../listening.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';
import { read, runApp } from '../running-app.ts';
import { available } from '../../../builders.ts';

/** Longer than any test takes: what is answered did not wait for it. */
const neverMs = 600_000;

/** A server whose network has a node that accepts connections and sends nothing. */
const openApp = async (t: ExecutionContext, readyWaitMs = neverMs) => {
  const mute = await listening(
    t,
    createServer(() => undefined),
  );
  const catalogue = catalogueOf('tree', fieldsOf({ id: 'keyword' }), searchOf([{ id: 'a' }, { id: 'b' }]));
  const nodes = [
    { nodeId: 'here', catalogue: 'tree' },
    { nodeId: 'mute', graphqlUrl: `${mute.url}/graphql`, documentType: 'tree' },
  ];
  const file = { network: { documentType: 'tree' }, defaults: { discoveryTimeoutMs: neverMs }, nodes };
  const network = openNetwork(readNodes(file, 'nodes.json'), () => available(catalogue), { readyWaitMs });
  t.teardown(() => network.close());
  return { network, app: await runApp(t, { network, catalogues: [bookConfig()] }) };
};

const source = '{ network { total partial nodes { nodeId state status hits } } }';
const answer = {
  network: {
    total: 2,
    partial: true,
    nodes: [
      { nodeId: 'here', state: 'ok', status: 'OK', hits: 2 },
      { nodeId: 'mute', state: 'discovering', status: 'ERROR', hits: 0 },
    ],
  },
};

test('a query waits for the first moments, and lists a mute node as being discovered', async (t) => {
  const { network, app } = await openApp(t, 500);
  t.false(network.isOpen());
  const both = await Promise.all(
    ['/network/graphql', '/graphql'].map(async (path) => (await read(app.query(path, source))).body['data']),
  );
  t.deepEqual(both, [answer, answer]);
  const { data } = (await read(app.query('/network/graphql', '{ tree { hits { total partial } } }'))).body;
  t.deepEqual(data, { tree: { hits: { total: 2, partial: true } } });
  t.true(network.state().ready);
  t.like(await read(app.get('/ready')), { status: 200, body: { discovering: ['mute'] } });
});

test('descriptions of the fields respond with retry-after, and so does the readiness check', async (t) => {
  const { app } = await openApp(t);
  const schema = await read(app.query('/network/graphql', '{ __schema { queryType { name } } }'));
  t.like(schema, { status: 503, body: { errors: [{ extensions: { code: 'NOT_READY' } }] } });
  t.is((await app.get('/network/introspection/fields')).status, 503);
  t.is((await app.query('/network/graphql', '{ tree { configs { extended } } }')).status, 503);
  t.is((await app.get('/ready')).status, 503);
  t.is((await app.query('/graphql', '{ __schema { queryType { name } } }')).status, 200);
});

test('a query for an unknown field waits for nodes that are not discovered yet', async (t) => {
  const { app, network } = await openApp(t, 1_500);
  const query = '{ network { aggregations { height { stats { max } } } } }';
  t.is((await app.query('/graphql', '{ book { nothing } }')).status, 400);
  const answers = await Promise.all(
    ['/network/graphql', '/graphql'].map(async (path) => (await app.query(path, query)).text()),
  );
  t.true(network.state().ready);
  for (const answer of answers) t.regex(answer, /GRAPHQL_VALIDATION_FAILED/);
});

test('a query for a field of a catalogue whose engine has been away from the start comes back later', async (t) => {
  const config = bookConfig();
  const error = new TributaryError('connection_error', 'the search server could not be reached');
  let state: CatalogueState = { status: 'failed', config, error };
  const file = { network: { documentType: 'book' }, nodes: [{ nodeId: 'here', catalogue: 'book' }] };
  const network = openNetwork(readNodes(file, 'nodes.json'), () => state);
  t.teardown(() => network.close());
  const app = await runApp(t, { network, catalogues: [config], doors: doorsOf(standard) });
  await network.opened;
  const beacon = await app.get('/network/beacon/individuals?filters=title%3Dx');
  t.is(beacon.status, 503, await beacon.text());
  const query = '{ network { hits { edges { node { title } } } } }';
  const early = await app.query('/network/graphql', query);
  t.is(early.status, 503);
  t.regex(early.headers.get('retry-after') ?? '', /^\d+$/);
  t.regex(await early.text(), /the fields of node \\"here\\" are not known yet/);
  // one that does not exist is not waited for
  state = { ...state, error: new TributaryError('index_not_found', 'no index book') };
  t.is((await app.query('/network/graphql', query)).status, 400);
});
