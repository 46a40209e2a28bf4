import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { programEnvironment } from '../program.ts';

const root = join(import.meta.dirname, '../..');

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
  'bench/federation/run.ts': ['merging', 'overhead', 'exact', 'views', 'memory'],
  'bench/federation/soak.ts': ['--minutes', '0.05'],
  'bench/from-nothing.ts': [],
  'bench/hierarchies.ts': [],
  'bench/honest.ts': ['300', '--users', '1', '--seconds', '1'],
  'bench/indexing.ts': ['400'],
  'bench/joining.ts': [],
  'bench/load.ts': ['300', '1'],
  'bench/proposals.ts': [],
  'bench/recovery.ts': ['200'],
  'bench/release.ts': ['300'],
  'bench/renewal.ts': ['1', '1000'],
  'bench/restarts.ts': ['1', '100'],
  'bench/versus.ts': ['audit', '300', '1'],
};

/** Those that no test starts, and why. */
const elsewhere: Readonly<Record<string, string>> = {
  'bench/engines/run.ts': 'needs a search server',
  'bench/portal.ts': 'needs a browser, to whose times its steps are bound',
};

test('every program that the README of the benches names is started here, or it says why not', (t) => {
  const readme = readFileSync(join(root, 'bench/README.md'), 'utf8');
  const named = Array.from(readme.matchAll(/^ {4}node (?:--\S+ )*(bench\/\S+)/gm), ([, path]) => path!);
  t.deepEqual([...new Set(named)].sort(), [...Object.keys(programs), ...Object.keys(elsewhere)].sort());
});

/** A program that misses its targets ends with 1: a small size says nothing of them. */
const crashesOf = async (path: string, args: readonly string[]): Promise<readonly string[]> => {
  const program = spawn(process.execPath, [join(root, path), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...programEnvironment, BENCH_SIZE: 'smallest' },
  });
  const closed = once(program, 'close') as Promise<[number | null]>;
  const [output, errors, [code]] = await Promise.all([text(program.stdout), text(program.stderr), closed]);
  const hasCrashed = code === null || code > 1 || /^Node\.js v/m.test(errors);
  return hasCrashed ? [`${path} ended with ${code}: ${output}\n${errors}`] : [];
};

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
