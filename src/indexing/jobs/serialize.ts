/** Calls that never overlap. */
export interface SerializedCall {
  /** Calls after the previous call has ended; while one call is pending, further requests are merged into it. */
  readonly request: () => void;
  /** Resolves when nothing is running or pending. */
  readonly settled: () => Promise<void>;
}

/**
 * @param call may return a promise, and then ends when it settles
 * @param failed called with what a call throws
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
