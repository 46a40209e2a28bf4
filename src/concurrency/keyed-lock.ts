/**
 * Runs a task once all tasks requested earlier under the same key have settled; tasks under other keys run meanwhile. A
 * task that fails or is aborted rejects only its own promise.
 * @returns the task's result
 */
export type KeyedLock = <Result>(key: string, task: () => Result | Promise<Result>) => Promise<Result>;

/** A lock that holds nothing; it remembers a key only while a task under it runs or waits. */
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
