import type { EventEmitter } from 'node:events';
import { setFlagsFromString } from 'node:v8';

/** Resolves when the process receives SIGTERM or SIGINT. A second signal ends it at once, as by default. */
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

/** Receives SIGHUP, which would end the process otherwise. */
export interface HangUps {
  /** Calls `listener` for each signal from now on, and now if one came before. */
  readonly listen: (listener: () => void) => void;
}

/** Receives the signal from the first moment on: a server that is still starting reloads once it is up. */
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

/** A terminal that has hung up, or a program such as `head`, reads no more of an output, and the work goes on without it. */
export const surviveHangUp = (output: EventEmitter): void => {
  if (output.listenerCount('error', unlessGone) === 0) output.on('error', unlessGone);
};

/** @throws what else is wrong with an output */
const unlessGone = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EIO' && error.code !== 'EPIPE') throw error;
};

/** Networks of fewer nodes are left to V8. */
const manyNodes = 100;

/**
 * Lets the heap double before V8 collects garbage, if there are very many nodes. V8 lets the heap of a server that
 * mostly waits grow by a fifth, which the answers of a thousand nodes fill with every query or two: collecting it took
 * a third of a query's processor time.
 * @param nodes of all networks of this process
 */
export const growHeapFor = (nodes: number): void =>
  // 0 is V8's default: it decides by itself; a V8 without the flag prints a warning and goes on
  setFlagsFromString(`--heap-growing-percent=${nodes < manyNodes ? 0 : 100}`);
