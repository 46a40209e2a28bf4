import test from 'ava';
import { degradations } from '../../../src/server/node/node-gauges.ts';

test('a full disk and access rules that are not in effect degrade a server', (t) => {
  const full = () => ({ freeBytes: 1_000_000, sizeBytes: 1e9 });
  const roomy = () => ({ freeBytes: 1e9, sizeBytes: 2e9 });
  t.deepEqual(degradations('data', false, roomy), []);
  t.deepEqual(
    degradations('data', false, () => null),
    [],
  );
  t.deepEqual(degradations('data', true, full), [
    'the disk of the data folder is full',
    'changed access rules are not in effect',
  ]);
});
