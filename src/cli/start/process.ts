import type { EventEmitter } from 'node:events';

/** Resolves when the process receives SIGTERM or SIGINT. A second signal ends it immediately, as by default. */
export const endSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    const end = (signal: NodeJS.Signals): void => {
      process.removeListener('SIGTERM', end);
      process.removeListener('SIGINT', end);
      resolve(signal);
    };
    process.once('SIGTERM', end);
    process.once('SIGINT', end);
  });

/**
 * The result of `begin`, or null when the process receives a signal first: this is printed, so that no process ends
 * silently, and the process exits once its output is written.
 */
export const unlessEnded = async <Result>(
  begin: () => Promise<Result>,
  ended: Promise<unknown>,
): Promise<Result | null> => {
  const signalled = ended.then(() => null);
  const begun = await Promise.race([begin(), signalled]);
  if (begun === null) {
    console.log('stop requested before startup was complete: stopping');
    // pending work would keep the process alive; exiting loses no more than a kill would
    setImmediate(() => process.exit());
  }
  return begun;
};

/** Handles SIGHUP, which would otherwise end the process. */
export interface HangUps {
  /** Calls `listener` for each signal, and immediately if one was received before. */
  readonly listen: (listener: () => void) => void;
}

/** Handles the signal from the start: a server that is still starting reloads once it is up. */
export const hangUps = (): HangUps => {
  let waiting = false;
  let listener: (() => void) | null = null;
  process.on('SIGHUP', () => {
    if (listener === null) waiting = true;
    else listener();
  });
  return {
    listen: (called) => {
      listener = called;
      if (waiting) called();
    },
  };
};

/** Ignores errors of an output that nothing reads any more, as after a hang-up or with `head`; the work continues. */
export const surviveHangUp = (output: EventEmitter, onError: (error: Error) => void = rethrow): void => {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EIO' && error.code !== 'EPIPE') onError(error);
  });
};

const rethrow = (error: Error): void => {
  throw error;
};

/** Lets a command finish its work when its output cannot be written, as on a full device; its exit code is then not 0. */
export const surviveLostOutput = ({ stdout, stderr }: NodeJS.Process): void => {
  for (const output of [stdout, stderr])
    surviveHangUp(output, ({ message }) => {
      if (output === stdout && !process.exitCode) stderr.write(`the output cannot be written: ${message}\n`);
      process.exitCode ||= 1;
    });
};
