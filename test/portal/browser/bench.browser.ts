import test from 'ava';
import { crashesOf } from '../../bench/crashes.ts';

test('the bench of the portal runs to its end', async (t) => {
  t.deepEqual(await crashesOf('bench/portal.ts'), []);
});
