import test from 'ava';
import type { Engine } from '../../../src/engines/engine.ts';
import { openEngine } from '../../../src/engines/open.ts';
import { collections } from '../cases/collections.ts';
import { runCheck } from '../cases/run-check.ts';
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
  const engine: Engine = await openEngine({
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
  for (const collection of collections) {
    const index = `tributary-${collection.name.replaceAll(' ', '-')}`;
    test.before(async (t) => {
      await engine.manage({ kind: 'delete', index });
      // these servers add unmapped fields by themselves unless told not to
      await engine.manage({ kind: 'create', index, mapping: { dynamic: false, ...collection.mapping } });
      const written = await engine.write(
        index,
        Object.entries(collection.documents).map(([id, document]) => ({ kind: 'upsert', id, document })),
      );
      t.true(
        written.every(({ status }) => status === 'created'),
        JSON.stringify(written),
      );
    });
    for (const check of collection.checks) {
      const reason = divergences(server.name, collection.name, check.name);
      const title = `${server.name}: ${collection.name}: ${check.name}`;
      if (reason === undefined) test.serial(title, (t) => runCheck(t, engine, index, check));
      else test.skip(`${title}: ${reason}`, () => undefined);
    }
  }
}
