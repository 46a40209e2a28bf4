import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { crashesOf } from './crashes.ts';

const root = join(import.meta.dirname, '../../..');

/** How every program of bench/ is started at its smallest size. */
const programs: Readonly<Record<string, readonly string[]>> = {
  'bench/agents.ts': [],
  'bench/answers.ts': [],
  'bench/attacks.ts': ['--only', 'documents of 15 000 tokens', '--seconds', '1', '--documents', '300'],
  'bench/branches.ts': ['200'],
  'bench/completion.ts': [],
  'bench/cost.ts': ['300'],
  'bench/disclosure.ts': [],
  'bench/download.ts': ['200', 'two keywords'],
  'bench/engine/run.ts': ['300'],
  'bench/engine/soak.ts': ['1', '300'],
  'bench/fairness.ts': ['300', 'embedded'],
  'bench/federation/many-nodes.ts': ['10'],
  'bench/federation/run.ts': ['merging', 'exact', 'memory'],
  'bench/federation/soak.ts': ['--minutes', '0.05'],
  'bench/from-nothing.ts': [],
  'bench/hierarchies.ts': [],
  'bench/honest.ts': ['300', '--users', '1', '--seconds', '1'],
  'bench/indexing.ts': ['400'],
  'bench/joining.ts': ['tunnel'],
  'bench/load.ts': ['300', '1'],
  'bench/proposals.ts': [],
  'bench/recovery.ts': ['200'],
  'bench/release.ts': ['300'],
  'bench/renewal.ts': ['1', '1000'],
  'bench/restarts.ts': ['1', '100'],
  'bench/versus.ts': ['audit', '300', '1'],
};

/** Those that other tests start. */
const elsewhere: Readonly<Record<string, string>> = {
  'bench/engines/run.ts': 'test/engines/cluster/bench.test.ts',
  'bench/portal.ts': 'test/portal/browser/bench.browser.ts',
};

test('every program that the README of the benches names is started here, or by another test', (t) => {
  const readme = readFileSync(join(root, 'bench/README.md'), 'utf8');
  const named = Array.from(readme.matchAll(/^ {4}node (?:--\S+ )*(bench\/\S+)/gm), ([, path]) => path!);
  t.deepEqual([...new Set(named)].sort(), [...Object.keys(programs), ...Object.keys(elsewhere)].sort());
  for (const [path, file] of Object.entries(elsewhere))
    t.true(readFileSync(join(root, file), 'utf8').includes(`crashesOf('${path}'`), file);
});

test('the programs run to their end', async (t) => {
  t.timeout(900_000);
  const left = Object.entries(programs);
  const crashes: string[] = [];
  const next = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const startedMs = performance.now();
      crashes.push(...(await crashesOf(...one)));
      t.log(`${one[0]}: ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, next));
  t.deepEqual(crashes, []);
});
