import { TributaryError } from './errors.ts';
import { onAbort } from './on-abort.ts';

/** Limits how many of a kind of work run at the same time; the others wait, first come, first served. */
export interface Turns {
  /**
   * Waits for a turn.
   * @returns ends the turn
   * @throws TributaryError NODE_TIMEOUT once the signal is aborted, without having had a turn
   */
  readonly take: (signal: AbortSignal) => Promise<() => void>;
}

/** Opens a queue of turns. @param max how many may run at once */
export const openTurns = (max: number): Turns => {
  const waiting = new Set<() => void>();
  let running = 0;
  const end = (): void => {
    running -= 1;
    const [next] = waiting;
    next?.();
  };
  const begin = (): (() => void) => {
    running += 1;
    return end;
  };
  return {
    take: (signal) => {
      if (signal.aborted) return Promise.reject(noTurn());
      if (running < max) return Promise.resolve(begin());
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(start);
          reject(noTurn());
        };
        const start = (): void => {
          waiting.delete(start);
          stop();
          resolve(begin());
        };
        waiting.add(start);
        const stop = onAbort(signal, leave);
      });
    },
  };
};

const noTurn = (): TributaryError => new TributaryError('NODE_TIMEOUT', 'had no turn in time');
