import { TributaryError } from '../errors/errors.ts';
import { onAbort } from './abort-listener.ts';

/** Limits how many tasks of a kind run at the same time; the others wait, first come, first served. */
export interface Semaphore {
  /**
   * Waits until a task may run.
   * @returns releases it
   * @throws TributaryError NODE_TIMEOUT if the signal is aborted first
   */
  readonly acquire: (signal: AbortSignal) => Promise<() => void>;
}

/** @param max how many tasks may run at the same time */
export const openSemaphore = (max: number): Semaphore => {
  const waiting = new Set<() => void>();
  let running = 0;
  const release = (): void => {
    running -= 1;
    const [next] = waiting;
    next?.();
  };
  const start = (): (() => void) => {
    running += 1;
    return release;
  };
  return {
    acquire: (signal) => {
      if (signal.aborted) return Promise.reject(timedOut());
      if (running < max) return Promise.resolve(start());
      return new Promise((resolve, reject) => {
        const next = (): void => {
          waiting.delete(next);
          remove();
          resolve(start());
        };
        waiting.add(next);
        const remove = onAbort(signal, () => {
          waiting.delete(next);
          reject(timedOut());
        });
      });
    },
  };
};

const timedOut = (): TributaryError => new TributaryError('NODE_TIMEOUT', 'timed out in the queue');
