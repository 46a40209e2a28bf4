import test from 'ava';
import { manyValues, samplesOfManyValues } from '../many-values.ts';
import { onServers } from './on-servers.ts';

await onServers((server, engine) => {
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
});
