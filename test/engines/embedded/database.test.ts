import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import test from 'ava';

test('several that open a new file at once all get it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const [files, threads] = [150, 3];
  const arrived = new Int32Array(new SharedArrayBuffer(4 * files));
  const program = new URL('./opening-thread.ts', import.meta.url);
  const errors = await Promise.all(
    Array.from({ length: threads }, async () => {
      const workerData = { folder, files, threads, arrived };
      const worker = new Worker(program, { workerData, execArgv: ['--disable-warning=ExperimentalWarning'] });
      const [found] = (await once(worker, 'message')) as [string[]];
      return found;
    }),
  );
  t.deepEqual(errors.flat(), []);
});
