/** Calls that never overlap. */
export interface InTurn {
  /** Calls when the call before has ended; while one waits for that, another is not needed. */
  readonly ask: () => void;
  /** Resolves when nothing is under way or waiting. */
  readonly settled: () => Promise<void>;
}

/**
 * @param call may give a promise, which ends the call
 * @param failed is told what a call throws
 */
export const inTurn = (call: () => unknown, failed: (error: unknown) => void): InTurn => {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = false;
  const ask = (): void => {
    if (waiting) return;
    waiting = true;
    last = last
      .then(() => {
        waiting = false;
        return call();
      })
      .catch(failed);
  };
  const settled = async (): Promise<void> => {
    await last;
  };
  return { ask, settled };
};
