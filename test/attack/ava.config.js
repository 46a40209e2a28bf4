import shared from '../../ava.config.js';

/** Denial-of-service attacks on a running server: `npm run test:attack`, one file at a time. */
export default {
  ...shared,
  files: ['test/attack/*.test.ts'],
  concurrency: 1,
};
