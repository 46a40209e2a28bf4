// Runs what failed in a step of CI once more: `node scripts/rerun-failed.js SCRIPT LOG`, where SCRIPT is the name of one in
// package.json and LOG holds what it printed. A test that shares a process with those of other files (test/together) runs
// again with all of them, since it may depend on their order; any other file runs alone. Ends with 0, and a line
// "unsteady: FILE" for each, if all pass now; with 1 if one fails again, or if the step failed for anything but tests.
// A file that fails again in its group and passes alone is named "depends on its group: FILE".
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const [name, log] = process.argv.slice(2);
const output = readFileSync(log, 'utf8').replace(/\x1b\[[0-9;]*m/g, ''); // eslint-disable-line no-control-regex
const script = JSON.parse(readFileSync('package.json', 'utf8')).scripts[name];

/** The file, and its group if it has one, of `room › file › title` or `group › test/room/file.test.ts › title`. */
const failureOf = (line) => {
  const [, group, grouped] = /(\w+) › (test\/\S+\.test\.ts)(?= › )/.exec(line) ?? [];
  if (grouped !== undefined) return { file: grouped, group: `test/together/${group}.ts` };
  const parts = line.replace(/^.* hook for /, '').split(' › ');
  const candidates = parts.flatMap((_, i) => [
    `test/${parts.slice(0, i).join('/')}.test.ts`,
    `test/portal/browser/${parts.slice(0, i).join('/')}.browser.ts`,
    `test/attack/${parts.slice(0, i).join('/')}.test.ts`,
  ]);
  return { file: candidates.find((path) => existsSync(path)), group: null };
};

// the clients' tests run by node:test, with names of their own
if (name === 'test:clients') {
  const names = [...new Set(output.matchAll(/^✖ (.+) \([\d.]+ms\)$/gm).map(([, title]) => title))];
  if (names.length === 0) process.exit(1);
  const { status } = spawnSync('node', ['test/clients/run.ts', ...names], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status === 0) for (const each of names) console.log(`unsteady: test/clients, ${each}`);
  process.exit(status === 0 ? 0 : 1);
}

const failures = [...output.matchAll(/^ *✘ (?:\[fail\]: )?(.*)$/gm)].map(([, line]) => failureOf(line));
const otherwise =
  /^ *\d+ (uncaught|unhandled|tests? (remained|were pending)|internal)|Timed out|exited (with|due)/m;
if (failures.length === 0 || failures.some(({ file }) => file === undefined) || otherwise.test(output))
  process.exit(1);

// the step's settings and options, without the files it names
const settings = [...script.matchAll(/(?:^| )([A-Z_]+)=(\S+)/g)].map(([, key, value]) => [key, value]);
const options = script.match(/--(timeout|concurrency|config)[= ]\S+/g) ?? [];
/** Whether all tests of an entry pass. A file alone is none that the configuration of the groups names. */
const passes = (entry) => {
  const used = options.filter((option) => entry.includes('/together/') || !option.includes('test/together/'));
  const { status } = spawnSync('npx', ['ava', ...used.flatMap((option) => option.split(/[= ]/)), entry], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...Object.fromEntries(settings) },
  });
  return status === 0;
};

let failed = 0;
const entries = Map.groupBy(failures, ({ file, group }) => group ?? file);
for (const [entry, ofEntry] of entries) {
  const files = [...new Set(ofEntry.map(({ file }) => file))];
  if (passes(entry)) for (const file of files) console.log(`unsteady: ${file}`);
  else {
    failed++;
    if (ofEntry[0].group === null) continue;
    for (const file of files.filter(passes)) console.log(`depends on its group: ${file}`);
  }
}
process.exit(failed > 0 ? 1 : 0);
