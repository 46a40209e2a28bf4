/** The portal in a real browser: `npm run test:portal`. One file at a time, for they share the sample's folder. */
export default {
  extensions: { ts: 'module' },
  files: ['test/portal/browser/*.browser.ts'],
  require: ['./test/ends-by-itself.ts'],
  timeout: '5m',
  concurrency: 1,
  serial: true,
  workerThreads: false,
};
