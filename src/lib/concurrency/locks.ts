import { TributaryError } from '../errors/errors.ts';
import { onAbort } from './abort-listener.ts';

/** Limits how many tasks of a kind run at the same time; the others wait, first come, first served. */
export interface Semaphore {
  /**
   * Waits until this many tasks may run, all of them at once; a number above the limit waits until no others run.
   * @returns releases one of them; call it once for each task
   * @throws TributaryError NODE_TIMEOUT if the signal is aborted first
   */
  readonly acquire: (signal: AbortSignal, tasks?: number) => Promise<() => void>;
}

/** @param max how many tasks may run at the same time */
export const openSemaphore = (max: number): Semaphore => {
  const waiting = new Set<{ readonly tasks: number; readonly start: () => void }>();
  let running = 0;
  const fits = (tasks: number): boolean => running === 0 || running + tasks <= max;
  const startNext = (): void => {
    for (const next of waiting) {
      if (!fits(next.tasks)) return;
      next.start();
    }
  };
  const release = (): void => {
    running -= 1;
    startNext();
  };
  return {
    acquire: (signal, tasks = 1) => {
      if (signal.aborted) return Promise.reject(timedOut(signal));
      if (waiting.size === 0 && fits(tasks)) {
        running += tasks;
        return Promise.resolve(release);
      }
      return new Promise((resolve, reject) => {
        const start = (): void => {
          waiting.delete(one);
          remove();
          running += tasks;
          resolve(release);
        };
        const one = { tasks, start };
        waiting.add(one);
        const remove = onAbort(signal, () => {
          waiting.delete(one);
          reject(timedOut(signal));
          startNext();
        });
      });
    },
  };
};

const timedOut = ({ reason }: AbortSignal): TributaryError =>
  new TributaryError('NODE_TIMEOUT', 'timed out in the queue', { cause: reason });

/**
 * Runs a task once all tasks requested earlier under the same key have settled; tasks under other keys run meanwhile. A
 * task that fails or is aborted rejects only its own promise.
 * @returns the task's result
 */
export type KeyedLock = <Result>(key: string, task: () => Result | Promise<Result>) => Promise<Result>;

/** Makes a lock; it remembers a key only while a task under that key runs or waits. */
export const newKeyedLock = (): KeyedLock => {
  const last = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const result = (last.get(key) ?? Promise.resolve()).then(task);
    const settled = result
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === settled) last.delete(key);
      });
    last.set(key, settled);
    return result;
  };
};

/**
 * Runs a task once all tasks added earlier have settled: one at a time, in the order they were added. A task that fails
 * or is aborted rejects only its own promise, the next one runs regardless.
 * @returns the task's result
 */
export type SerialQueue = <Result>(task: () => Result | Promise<Result>) => Promise<Result>;

/** An empty queue. */
export const newSerialQueue = (): SerialQueue => {
  const lock = newKeyedLock();
  return (task) => lock('', task);
};
