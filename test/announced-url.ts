import type { ChildProcess, ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** The URL that a server prints once it runs. @throws Error with what it printed when it ends before */
export const announcedUrl = (
  server: ChildProcessByStdio<Writable | null, Readable, Readable>,
): Promise<string> => {
  let output = '';
  return new Promise((found, failed) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const address = /is running at (http:\/\/\S+)/.exec(output)?.[1];
      if (address !== undefined) found(address);
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.once('exit', () => failed(new Error(`the server did not start:\n${output}`)));
  });
};

/** Ends a server and waits until it has ended. */
export const ended = (server: ChildProcess): Promise<void> =>
  new Promise((done) => {
    if (server.exitCode !== null) return done();
    server.once('exit', () => done());
    server.kill('SIGTERM');
  });
