import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import test from 'ava';
import { pino } from 'pino';
import {
  boundHeapOfDownloads,
  boundHeapUntilClosed,
  sendDownload,
} from '../../../../src/server/http/catalogue/download-routes.ts';
import type { HttpContext } from '../../../../src/server/http/koa/http-context.ts';

test('the heap is bounded from the first download to the last, collected for long ones, and only in a process of ours', async (t) => {
  const flags: string[] = [];
  const heap = {
    setFlag: (flag: string): void => void flags.push(flag),
    collect: (): void => void flags.push('collect'),
  };
  const ended = async (content: PassThrough): Promise<void> => {
    const closed = once(content, 'close');
    content.destroy();
    await closed;
  };
  const foreign = new PassThrough();
  boundHeapUntilClosed(foreign, 100_000, heap);
  await ended(foreign);
  t.deepEqual(flags, []);

  boundHeapOfDownloads();
  const [first, second] = [new PassThrough(), new PassThrough()];
  for (const content of [first, second]) boundHeapUntilClosed(content, 99_999, heap);
  await ended(first);
  t.deepEqual(flags, ['--heap-growing-percent=35']);
  await ended(second);
  t.deepEqual(flags.splice(0), ['--heap-growing-percent=35', '--heap-growing-percent=0']);

  const long = new PassThrough();
  boundHeapUntilClosed(long, 100_000, heap);
  await ended(long);
  t.deepEqual(flags.splice(0), ['--heap-growing-percent=35', 'collect', '--heap-growing-percent=0']);

  const sent = (method: string): PassThrough => {
    const content = new PassThrough();
    const context = {
      ...{ method, state: {}, attachment: () => {}, set: () => {} },
      ...{ req: { httpVersion: '1.1' }, res: { setHeader: () => {}, addTrailers: () => {} } },
    } as unknown as HttpContext;
    const opened = {
      content,
      total: 100_000,
      isTruncated: false,
      fileName: 'a.tsv',
      contentType: 'text/plain',
      outcome: () => ({ records: 100_000, isComplete: true, shortcomings: [] }),
    };
    sendDownload(context, opened, { log: pino({ level: 'silent' }) }, heap);
    return content;
  };
  await ended(sent('HEAD'));
  t.deepEqual(flags, []);
  await ended(sent('GET'));
  t.deepEqual(flags, ['--heap-growing-percent=35', 'collect', '--heap-growing-percent=0']);
});
