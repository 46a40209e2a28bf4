import { PassThrough } from 'node:stream';
import test from 'ava';
import { formatCount } from '../../../src/lib/text/plural.ts';
import { loadProgress } from '../../../src/cli/load/load-report.ts';

test('a long load says every five seconds how far it is', (t) => {
  const output = new PassThrough();
  let now = 0;
  const progress = loadProgress(
    100,
    () => 50,
    output,
    () => now,
  );
  for (now of [100, 4_999]) progress.update({ created: 5, updated: 0, rejected: 1 });
  t.is(output.read(), null);
  for (now of [5_000, 6_000]) progress.update({ created: 1_200, updated: 34, rejected: 1 });
  t.is(String(output.read()), '50% | 1 234 documents, 1 rejected | 247/s\n');
  now = 10_000;
  progress.update(null);
  t.is(String(output.read()), '50% | reading all records for their types\n');
});

test('thousands are grouped', (t) => {
  t.deepEqual([0, 999, 1_000, 31_558, 1_234_567].map(formatCount), [
    '0',
    '999',
    '1 000',
    '31 558',
    '1 234 567',
  ]);
});
