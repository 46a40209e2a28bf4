// Runs every test five times while eight loops keep the processors busy: tests that fail then are unsteady.
// `node scripts/steady.js test/sqon/**` runs the files of a room instead.
import { spawn, spawnSync } from 'node:child_process';

const files = process.argv.slice(2);
const runs =
  files.length > 0
    ? [files]
    : ['ava', 'processes'].map((name) => ['--config', `test/together/${name}.config.js`]);
const loops = Array.from({ length: 8 }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
let failures = 0;
try {
  for (let round = 1; round <= 5; round++)
    for (const args of runs) {
      process.stdout.write(`--- round ${round} of 5: ava ${args.join(' ')}\n`);
      if (spawnSync('npx', ['ava', ...args], { stdio: 'inherit' }).status !== 0) failures++;
    }
} finally {
  for (const loop of loops) loop.kill('SIGKILL');
}
process.stdout.write(`${failures} of ${5 * runs.length} runs failed\n`);
process.exitCode = failures > 0 ? 1 : 0;
