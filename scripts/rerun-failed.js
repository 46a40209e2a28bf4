// Runs the files that failed in a step of CI once more, each alone: `node scripts/rerun-failed.js SCRIPT LOG`, where SCRIPT
// is the name of one in package.json and LOG holds what it printed. Ends with 0, and a line "unsteady: FILE" for each,
// if all pass now; with 1 if one fails again, or if the step failed for anything but tests.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const [name, log] = process.argv.slice(2);
const output = readFileSync(log, 'utf8').replace(/\x1b\[[0-9;]*m/g, ''); // eslint-disable-line no-control-regex
const script = JSON.parse(readFileSync('package.json', 'utf8')).scripts[name];

/** The file of `room › file › title` as AVA prints it, or of `group › test/room/file.test.ts › title`. */
const fileOf = (line) => {
  const named = /test\/\S+\.test\.ts(?= › )/.exec(line)?.[0];
  if (named !== undefined) return named;
  const parts = line.replace(/^.* hook for /, '').split(' › ');
  const candidates = parts.flatMap((_, i) => [
    `test/${parts.slice(0, i).join('/')}.test.ts`,
    `test/portal/browser/${parts.slice(0, i).join('/')}.browser.ts`,
    `test/attack/${parts.slice(0, i).join('/')}.test.ts`,
  ]);
  return candidates.find((path) => existsSync(path));
};

const failures = [...output.matchAll(/^ *✘ (?:\[fail\]: )?(.*)$/gm)].map(([, line]) => fileOf(line));
const otherwise =
  /^ *\d+ (uncaught|unhandled|tests? (remained|were pending)|internal)|Timed out|exited (with|due)/m;
if (failures.length === 0 || failures.includes(undefined) || otherwise.test(output)) process.exit(1);

// the step's settings and options, without the files it names
const settings = [...script.matchAll(/(?:^| )([A-Z_]+)=(\S+)/g)].map(([, key, value]) => [key, value]);
const options = script.match(/--(timeout|concurrency|config)[= ]\S+/g) ?? [];
let failed = 0;
for (const file of new Set(failures)) {
  const used = options.filter((option) => !option.includes('test/together/'));
  const { status } = spawnSync('npx', ['ava', ...used.flatMap((option) => option.split(' ')), file], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...Object.fromEntries(settings) },
  });
  if (status === 0) console.log(`unsteady: ${file}`);
  else failed++;
}
process.exit(failed > 0 ? 1 : 0);
