import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import test from 'ava';
import { pino } from 'pino';
import {
  boundHeapUntilClosed,
  growHeapFor,
  tuneHeap,
} from '../../../../src/lib/runtime/garbage-collection.ts';
import { sendDownload } from '../../../../src/server/http/catalogue/download-routes.ts';
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

  tuneHeap();
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

  const [among, last] = [new PassThrough(), new PassThrough()];
  boundHeapUntilClosed(among, 1, heap);
  growHeapFor(1_000, heap);
  await ended(among);
  t.deepEqual(flags.splice(0), ['--heap-growing-percent=35', '--heap-growing-percent=100']);
  growHeapFor(3, heap);
  boundHeapUntilClosed(last, 1, heap);
  await ended(last);
  const few = '--heap-growing-percent=0';
  t.deepEqual(flags.splice(0), [few, '--heap-growing-percent=35', few]);

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

test('this Node.js accepts each growth of the heap', (t) => {
  const module = import.meta.resolve('../../../../src/lib/runtime/garbage-collection.ts');
  for (const nodes of [3, 1_000]) {
    const program = `import { growHeapFor } from '${module}'; growHeapFor(${nodes}); console.log('set');`;
    // what V8 does not know it complains about, and goes on
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    t.is(stderr, '', `${nodes} nodes`);
    t.is(stdout, 'set\n');
  }
});
