import test from 'ava';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { conform } from '../cases/conform.ts';
import { divergences } from './divergences.ts';
import { testServers } from './servers.ts';

const servers = await testServers();

if (servers.length === 0)
  test.skip('no search server: npm run test:engines starts some, TEST_OPENSEARCH_URL names one', () =>
    undefined);

for (const server of servers) {
  if (server.kind === 'absent') {
    test.skip(`${server.name}: ${server.reason}`, () => undefined);
    continue;
  }
  const engine = await openEngine({
    kind: 'detect',
    url: server.url,
    user: undefined,
    password: undefined,
    apiKey: undefined,
    caFile: undefined,
  });
  test.after.always(async () => {
    await engine.close();
    await server.stop();
  });
  for (const shards of [1, 5]) {
    conform({
      name: shards === 1 ? server.name : `${server.name}, ${shards} shards`,
      engine,
      indexOf: (collection) => `tributary-${shards}-${collection.replaceAll(' ', '-')}`,
      create: (index, mapping) =>
        engine.manage({
          kind: 'create',
          index,
          // these servers add unmapped fields by themselves unless told not to
          mapping: { dynamic: false, ...mapping },
          settings: { number_of_shards: shards, number_of_replicas: 0 },
        }),
      leftOut: (collection, check) => divergences(server.name, collection, check, shards),
      tiesOpen: shards > 1,
    });
  }
}
