import { basename } from 'node:path';
import shared from '../../ava.config.js';
import { groupNames } from './groups.ts';

const place = (path) => groupNames.indexOf(basename(path, '.ts'));

/** Every test that starts no process, many files in one process: `npm test`. */
export default {
  ...shared,
  files: groupNames.map((name) => `test/together/${name}.ts`),
  sortTestFiles: (one, other) => place(one) - place(other),
};
