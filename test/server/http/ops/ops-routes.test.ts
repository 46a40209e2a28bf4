import test from 'ava';
import type { Network } from '../../../../src/federation/network.ts';
import { openNetwork } from '../../../../src/federation/network.ts';
import { readNodes } from '../../../../src/federation/config/read-nodes.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';
import { missing, read, runApp } from '../running-app.ts';

for (const [name, catalogues, status, word] of [
  ['all available', [bookConfig()], 200, 'healthy'],
  ['some failed', [bookConfig(), missing()], 200, 'degraded'],
  ['all failed', [missing()], 503, 'unhealthy'],
] as const)
  test(`/ready with ${name}; /ping does not mind`, async (t) => {
    const app = await runApp(t, { catalogues });
    t.deepEqual(await read(app.get('/ready')), { status, body: { status: word } });
    const ping = await read(app.get('/ping'));
    t.is(ping.status, 200);
    t.is(typeof ping.body['message'], 'string');
  });

test('/ready says what is degraded, and stays ready: another server would not answer better', async (t) => {
  const problems = ['the disk of the data folder is full'];
  const app = await runApp(t, { degradations: () => problems });
  t.deepEqual(await read(app.get('/ready')), { status: 200, body: { status: 'degraded', problems } });
});

test('both paths are a matter of configuration', async (t) => {
  const app = await runApp(t, { settings: { pingPath: '/alive', readyPath: '/health/ready' } });
  t.is((await app.get('/alive')).status, 200);
  t.is((await app.get('/health/ready')).status, 200);
  t.is((await app.get('/ping')).status, 404);
});

/** A network of one node, `library`, whose discovery ends, and which opens, when the test decides. */
const heldNetwork = (): { network: Network; discover: () => void } => {
  const config = readNodes({ nodes: [{ nodeId: 'here', catalogue: 'library' }] }, 'nodes.json');
  const network = openNetwork(config, () => undefined);
  const discovered = Promise.withResolvers<undefined>();
  let ready = false;
  return {
    network: {
      ...network,
      opened: discovered.promise,
      isOpen: () => ready,
      state: () => ({ ...network.state(), ready }),
    },
    discover: () => {
      ready = true;
      discovered.resolve(undefined);
    },
  };
};

test('until the nodes are discovered this node is not ready, though alive, and catalogues are served', async (t) => {
  const { network, discover } = heldNetwork();
  const app = await runApp(t, { network });
  const early = await app.get('/ready');
  t.is(early.status, 503);
  t.is(early.headers.get('retry-after'), '1');
  t.is((await app.get('/ping')).status, 200);
  t.is((await app.query('/graphql', '{ book { hits { total } } }')).status, 200);
  const refused = await app.query('/network/graphql', '{ __schema { queryType { name } } }');
  t.is(refused.status, 503);
  t.is(refused.headers.get('retry-after'), '1');
  const waiting = ['/graphql', '/network/graphql'].map((path) =>
    app.query(path, '{ network { nodes { nodeId } } }'),
  );
  discover();
  t.is((await app.get('/ready')).status, 200);
  t.is((await app.query('/network/graphql', '{ __schema { queryType { name } } }')).status, 200);
  for (const answer of waiting)
    t.deepEqual(await read(answer), {
      status: 200,
      body: { data: { network: { nodes: [{ nodeId: 'here' }] } } },
    });
});
