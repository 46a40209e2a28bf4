import { registerCompletionHandler } from 'ava';

const graceMs = 60_000;
/** Far more than any file takes on a busy machine; TEST_FILE_MINUTES is another limit. */
const fileMinutes = Number(process.env['TEST_FILE_MINUTES'] ?? 30);

// AVA's own timeout ends no run in which a test has set one for itself
setTimeout(() => {
  process.stderr.write(`not done after ${fileMinutes} minutes: a test waits for what never comes\n`);
  process.exit(1);
}, fileMinutes * 60_000).unref();

/**
 * Runs in every test process. One that is still alive a while after its last test has left something open: a server, a
 * child process, a socket. AVA waits for such a process, and for ever if one of its tests has set its own timeout,
 * so it reports what is open and fails instead.
 */
registerCompletionHandler(() => {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(`still open ${graceMs / 1000} s after the last test: ${open}\n`);
    process.exit(1);
  }, graceMs).unref();
});
