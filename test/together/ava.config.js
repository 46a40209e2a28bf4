import shared from '../../ava.config.js';
import { aloneFiles, groupNames } from './groups.ts';

/** Every test that starts no process, many files in one process: `npm test`. */
export default {
  ...shared,
  files: [...groupNames.map((name) => `test/together/${name}.ts`), ...aloneFiles],
};
