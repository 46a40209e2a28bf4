import { spawnSync } from 'node:child_process';
import test from 'ava';

const heapGrowth = import.meta.resolve('../../../src/cli/start/process.ts');

test('this Node.js accepts the growth of the heap, for few nodes as for many', (t) => {
  for (const nodes of [3, 1_000]) {
    const program = `import { growHeapFor } from '${heapGrowth}'; growHeapFor(${nodes}); console.log('set');`;
    // what V8 does not know it complains about, and goes on
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    t.is(stderr, '', `${nodes} nodes`);
    t.is(stdout, 'set\n');
  }
});
