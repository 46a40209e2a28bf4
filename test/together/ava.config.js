import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import shared from '../../ava.config.js';
import { groupNames } from './groups.ts';

const place = (path) => groupNames.indexOf(basename(path, '.ts'));

/** Every test that starts no process, many files in one process: `npm test`. */
export default {
  ...shared,
  // many wait for nodes, deadlines and connections most of their time
  concurrency: Math.min(8, availableParallelism() + 2),
  files: groupNames.map((name) => `test/together/${name}.ts`),
  sortTestFiles: (one, other) => place(one) - place(other),
};
