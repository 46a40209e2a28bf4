import shared from '../../../ava.config.js';

/** The portal in a real browser: `npm run test:all -- portal`. One file at a time, for they share the sample's folder. */
export default {
  ...shared,
  files: ['test/portal/browser/*.browser.ts'],
  timeout: '5m',
  concurrency: 1,
  serial: true,
};
