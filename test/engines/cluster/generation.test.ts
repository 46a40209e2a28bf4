import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { testServers } from './servers.ts';

const index = 'tributary-generation';

const servers = await testServers();
if (servers.length === 0) test.skip('no search server', () => undefined);

for (const server of servers) {
  if (server.kind === 'absent') {
    test.skip(`${server.name}: ${server.reason}`, () => undefined);
    continue;
  }
  test.after.always(() => server.stop());

  test(`${server.name}: the data of an index has a name, which changes with what is written`, async (t) => {
    const engine = await openEngine({
      ...{ kind: 'detect', url: server.url, user: undefined, password: undefined },
      ...{ apiKey: undefined, caFile: undefined },
    });
    t.teardown(async () => {
      await engine.manage({ kind: 'delete', index });
      await engine.close();
    });
    await engine.manage({ kind: 'delete', index });
    await engine.manage({ kind: 'create', index, mapping: { properties: { word: { type: 'keyword' } } } });
    const generation = async (): Promise<string | null> => {
      // a name is kept for a second
      await sleep(1_100);
      return engine.generation!(index);
    };
    const first = await generation();
    t.regex(first!, /^[0-9a-f]{32}$/);
    t.is(await generation(), first);
    const names = new Set([first]);
    for (const word of ['one', 'two']) {
      await engine.write(index, [{ kind: 'upsert', id: 'a', document: { word } }]);
      names.add(await generation());
    }
    await engine.write(index, [{ kind: 'delete', id: 'a' }]);
    names.add(await generation());
    t.is(names.size, 4);
    t.is(await engine.generation!('tributary-not-there'), null);
  });
}
