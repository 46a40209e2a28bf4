import { PassThrough } from 'node:stream';
import test from 'ava';
import { formatCount } from '../../../src/text/plural.ts';
import { loadProgress } from '../../../src/cli/load/load-report.ts';

test('without a terminal nothing is drawn for a short load', async (t) => {
  const output = new PassThrough();
  const progress = await loadProgress(100, () => 50, output as unknown as NodeJS.WriteStream);
  progress.update({ created: 5, updated: 0, deleted: 0, absent: 0, rejected: 1 });
  progress.stop();
  t.is(output.read(), null);
});

test('on a terminal a bar shows the share of the file and is cleared at the end', async (t) => {
  const output = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 80,
    cursorTo: () => true,
    clearLine: () => true,
  });
  const progress = await loadProgress(100, () => 50, output as unknown as NodeJS.WriteStream);
  progress.update({ created: 1_200, updated: 34, deleted: 0, absent: 0, rejected: 1 });
  progress.stop();
  t.regex(String(output.read()), /50% \| 1 234 documents, 1 rejected/);
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
