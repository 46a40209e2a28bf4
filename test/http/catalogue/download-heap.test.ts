import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import test from 'ava';
import { boundHeapOfDownloads, boundHeapUntilClosed } from '../../../src/http/catalogue/download-heap.ts';

test('the heap is bounded from the first download to the last, and only in a process of ours', async (t) => {
  const flags: string[] = [];
  const setFlag = (flag: string): void => void flags.push(flag);
  const ended = async (content: PassThrough): Promise<void> => {
    const closed = once(content, 'close');
    content.destroy();
    await closed;
  };
  const foreign = new PassThrough();
  boundHeapUntilClosed(foreign, setFlag);
  await ended(foreign);
  t.deepEqual(flags, []);

  boundHeapOfDownloads();
  const [first, second] = [new PassThrough(), new PassThrough()];
  for (const content of [first, second]) boundHeapUntilClosed(content, setFlag);
  await ended(first);
  t.deepEqual(flags, ['--heap-growing-percent=50']);
  await ended(second);
  t.deepEqual(flags, ['--heap-growing-percent=50', '--heap-growing-percent=0']);
});
