import { registerCompletionHandler } from 'ava';

const graceMs = 60_000;

/**
 * Runs in every test process. One that is still alive a while after its last test has left something open: a server, a
 * child process, a socket. AVA waits for such a process, and for ever if one of its tests has set a timeout of its own,
 * so it says what is open and fails instead.
 */
registerCompletionHandler(() => {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(`still open ${graceMs / 1000} s after the last test: ${open}\n`);
    process.exit(1);
  }, graceMs).unref();
});
