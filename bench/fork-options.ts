import type { ForkOptions } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * How measured processes are started, so that they run as the product does: with its launcher's bound on the young part
 * of the heap, which grows to 128 MiB otherwise, whatever it is used for, and on code without types, as the package ships
 * it. Node.js keeps what it has stripped once in that folder; stripping takes 15 MiB and more in every thread.
 */
export const asTheProductRuns: ForkOptions = {
  execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=4'],
  env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'tributary-bench-compiled') },
};
