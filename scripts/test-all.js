// Runs suites of tests: `npm run test:all` all of them, one after another; `npm run test:all -- SUITE [ARGUMENT...]` one of
// them, with further arguments for its runner. CI runs them side by side (.ci/run): --names lists them.
import { spawnSync } from 'node:child_process';
import { suites } from './suites.js';

const [name, ...args] = process.argv.slice(2);
const names = Object.keys(suites);

const passes = ({ command: [program, ...options], settings }) =>
  spawnSync(program, [...options, ...args], { stdio: 'inherit', env: { ...process.env, ...settings } })
    .status === 0;

if (name === '--names') console.log(names.join('\n'));
else if (name === undefined) process.exitCode = Object.values(suites).map(passes).every(Boolean) ? 0 : 1;
else if (Object.hasOwn(suites, name)) process.exitCode = passes(suites[name]) ? 0 : 1;
else {
  console.error(`there is no suite "${name}": it is one of ${names.join(', ')}`);
  process.exitCode = 2;
}
