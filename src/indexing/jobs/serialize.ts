/** Calls that never overlap. */
export interface SerializedCall {
  /** Calls when the call before has ended; while one waits for that, another is not needed. */
  readonly request: () => void;
  /** Resolves when nothing is under way or waiting. */
  readonly settled: () => Promise<void>;
}

/**
 * @param call may give a promise, which ends the call
 * @param failed is told what a call throws
 */
export const serialize = (call: () => unknown, failed: (error: unknown) => void): SerializedCall => {
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
  return { request: ask, settled };
};
