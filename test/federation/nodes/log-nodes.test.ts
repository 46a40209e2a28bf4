import test from 'ava';
import { pino } from 'pino';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import type { CatalogueState } from '../../../src/search/catalogue.ts';
import { fieldsOf, searchOf } from '../collection.ts';
import { catalogueOf, deadUrl } from '../remote-server.ts';
import { available, testNetwork } from '../../builders.ts';

test('one line for each change says which node, what, why and since when; conflicts are logged at the start', async (t) => {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const states = new Map<string, CatalogueState>();
  const state = (id: string, type: string): CatalogueState =>
    available(catalogueOf(id, fieldsOf({ id: 'keyword', height: type }), searchOf([])));
  states.set('park', state('park', 'long')).set('wood', state('wood', 'keyword'));
  const nodes = [
    { nodeId: 'park', catalogue: 'park' },
    { nodeId: 'wood', catalogue: 'wood' },
    {
      nodeId: 'gone',
      graphqlUrl: await deadUrl(),
      documentType: 'tree',
      discoveryTimeoutMs: 1_000,
      credential: { header: 'authorization', env: 'GONE' },
    },
  ];
  const network = await testNetwork(t, nodes, {
    ...{ network: { displayName: 'Trees' }, defaults: {}, byId: (id: string) => states.get(id) },
    ...{ log, secret: () => 'hidden-token' },
  });
  t.like(lines, [
    {
      level: 40,
      network: 'Trees',
      node: 'gone',
      kind: 'remote',
      state: 'discoveryFailed',
      code: 'NODE_DISCOVERY_FAILED',
      reason: 'discovery failed: connection refused',
      was: 'discovering',
      msg: 'node failed discovery and is not queried until its entry changes, its "rediscover" is over or the server restarts',
    },
    {
      level: 40,
      msg: 'network has a warning: node "wood" does not cover "height": keyword there is not compatible with long of node "park"; declare the type that counts in network.fields, or give it a name of its own in the node\'s fields: {"height_keyword":"height"}',
    },
  ]);
  lines.length = 0;
  const park = states.get('park')!;
  states.set('park', {
    status: 'failed',
    config: park.config,
    error: new TributaryError('index_not_found', 'the index park does not exist'),
  });
  t.is(network.state().nodes.length, 3);
  t.is(network.state().nodes.length, 3, 'looking twice says nothing twice');
  states.set('park', park);
  t.is(network.state().nodes.length, 3);
  t.like(lines, [
    {
      level: 40,
      node: 'park',
      state: 'unavailable',
      code: 'index_not_found',
      reason: 'the index park does not exist',
      was: 'ok',
    },
    { level: 30, node: 'park', state: 'ok', was: 'unavailable', msg: 'node recovered' },
  ]);
  t.is(lines.length, 2);
  t.is(lines[1]!['wasSince'], lines[0]!['since']);
  t.false(JSON.stringify(lines).includes('hidden-token'));
});
