/**
 * Runs a task once all tasks added earlier have settled: one at a time, in the order they were added. A task that fails
 * or is aborted rejects only its own promise, the next one runs regardless.
 * @returns the task's result
 */
export type SerialQueue = <Result>(task: () => Result | Promise<Result>) => Promise<Result>;

/** An empty queue. */
export const newSerialQueue = (): SerialQueue => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
};
