import test from 'ava';
import { crashesOf } from '../../whole/bench/crashes.ts';
import { onServers } from './on-servers.ts';

await onServers(({ name, url }) => {
  const declared = name.startsWith('opensearch') ? test : test.skip;
  declared(`${name}: the bench of engines runs to its end`, async (t) => {
    t.deepEqual(await crashesOf('bench/engines/run.ts', ['300'], { TEST_OPENSEARCH_URL: url }), []);
  });
  return undefined;
});
