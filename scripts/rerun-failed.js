// Runs the failed tests of a CI step once more: `node scripts/rerun-failed.js STEP LOG`, where STEP is `test` or a suite of
// scripts/suites.js and LOG holds its output. A test that shares a process with those of other files (test/together) runs
// again with all of them, since it may depend on their order; any other file runs alone. Ends with 0, and a line
// "unsteady: FILE" for each, if all pass now; with 1 if one fails again, or if the step failed for anything but tests.
// A file that fails again in its group and passes alone is named "depends on its group: FILE".
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { suites } from './suites.js';

const [name, log] = process.argv.slice(2);
const output = readFileSync(log, 'utf8').replace(/\x1b\[[0-9;]*m/g, ''); // eslint-disable-line no-control-regex
const { command, settings = {} } = suites[name];

const run = (program, args) =>
  spawnSync(program, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...settings },
  }).status === 0;

// the clients' tests run by node:test, with names of their own
if (name === 'clients') {
  const names = [...new Set(output.matchAll(/^✖ (.+) \([\d.]+ms\)$/gm).map(([, title]) => title))];
  if (names.length === 0 || !run('node', ['test/whole/clients/run.ts', ...names])) process.exit(1);
  for (const each of names) console.log(`unsteady: test/clients, ${each}`);
  process.exit(0);
}

/** AVA leaves out the folder that all files of a run share. */
const folders = ['test', `test/whole/${name}`, `test/capabilities/${name}`];

/** The test file in a line of AVA's output, and its group if it has one. */
const failureOf = (line) => {
  const [, group, grouped] = /together › (\w+) › .*?(test\/\S+\.test\.ts) › /.exec(line) ?? [];
  if (grouped !== undefined) return { file: grouped, group: `test/together/${group}.ts` };
  const [path] = /test\/\S+?\.ts\b/.exec(line) ?? [];
  if (path !== undefined) return { file: path, group: path.startsWith('test/together/') ? path : null };
  const parts = line.split(' › ');
  const candidates = parts.flatMap((_, i) => {
    const label = parts.slice(0, i).join('/');
    return [...folders.map((folder) => `${folder}/${label}.test.ts`), `test/portal/browser/${label}.ts`];
  });
  return { file: candidates.find((candidate) => existsSync(candidate)), group: null };
};

const failures = [
  ...output.matchAll(/^ *✘ (?:\[fail\]: )?(?!Timed out)(.*)$/gm),
  ...output.matchAll(/^ *((?:Uncaught exception|Unhandled rejection|\d+ tests were pending) in .*)$/gm),
].map(([, line]) => failureOf(line));
if (failures.length === 0 || failures.some(({ file }) => file === undefined)) process.exit(1);

// the options of the step, without its test files; those of `npm test` are in package.json
const options =
  name === 'test'
    ? ['--config test/together/ava.config.js']
    : (command.join(' ').match(/--(timeout|concurrency|config)[= ]\S+/g) ?? []);
/** Whether all tests of an entry pass. A file that runs alone is not in the configuration of the groups. */
const passes = (entry) => {
  const used = options.filter((option) => entry.includes('/together/') || !option.includes('test/together/'));
  return run('npx', ['ava', ...used.flatMap((option) => option.split(/[= ]/)), entry]);
};

let failed = 0;
const entries = Map.groupBy(failures, ({ file, group }) => group ?? file);
for (const [entry, ofEntry] of entries) {
  const files = [...new Set(ofEntry.map(({ file }) => file))];
  if (passes(entry)) for (const file of files) console.log(`unsteady: ${file}`);
  else {
    failed++;
    if (ofEntry[0].group === null) continue;
    for (const file of files.filter((each) => each !== entry && passes(each)))
      console.log(`depends on its group: ${file}`);
  }
}
process.exit(failed > 0 ? 1 : 0);
