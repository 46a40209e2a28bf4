import shared from '../../../ava.config.js';

/** The package as npm packs and installs it: `npm run test:all -- package`. */
export default {
  ...shared,
  files: ['test/whole/package/*.test.ts'],
};
