import test from 'ava';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { manyValues, samplesOfManyValues } from '../many-values.ts';
import { testServers } from './servers.ts';

const servers = await testServers();
if (servers.length === 0) test.skip('no search server', () => undefined);

for (const server of servers) {
  if (server.kind === 'absent') {
    test.skip(`${server.name}: ${server.reason}`, () => undefined);
    continue;
  }
  const engine = await openEngine({
    ...{ kind: 'detect', url: server.url, user: undefined, password: undefined },
    ...{ apiKey: undefined, caFile: undefined },
  });
  test.after.always(async () => {
    await engine.close();
    await server.stop();
  });
  for (const shards of [1, 5]) {
    const index = `tributary-many-${shards}`;
    test.before(`${index} on ${server.name}`, async () => {
      await engine.manage({ kind: 'delete', index });
      const settings = { number_of_shards: shards, number_of_replicas: 0 };
      await engine.manage({ kind: 'create', index, mapping: manyValues.mapping, settings });
      await manyValues.fill(engine, index);
    });
    for (const [name, { facet, expected }] of Object.entries(samplesOfManyValues))
      test.serial(
        `${server.name}, ${shards} shards: partitions give the same sample of ${name}`,
        async (t) => {
          const { facets } = await engine.search(index, { facets: [facet] });
          t.deepEqual(facets, [expected]);
        },
      );
    test.serial(`${server.name}, ${shards} shards: all samples of one search`, async (t) => {
      const samples = Object.values(samplesOfManyValues);
      const { facets } = await engine.search(index, { facets: samples.map(({ facet }) => facet) });
      t.deepEqual(
        facets,
        samples.map(({ expected }) => expected),
      );
    });
  }
}
