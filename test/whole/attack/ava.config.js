import shared from '../../../ava.config.js';

/** Denial-of-service attacks on a running server: `npm run test:all -- attack`, two files at a time, since many only wait. */
export default {
  ...shared,
  files: ['test/whole/attack/*.test.ts'],
  concurrency: 2,
};
