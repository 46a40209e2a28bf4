import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process';

/** The URL that a server prints once it runs. @throws Error with what it printed when it ends before */
export const announcedUrl = (
  server: Pick<ChildProcessWithoutNullStreams, 'stdout' | 'stderr' | 'once'>,
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
