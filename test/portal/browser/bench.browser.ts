import test from 'ava';
import { crashesOf } from '../../whole/bench/crashes.ts';

test('the bench of the portal runs to its end', async (t) => {
  t.deepEqual(await crashesOf('bench/portal.ts'), []);
});
