/** Resolves when the process is told to end. A second signal ends it at once, as the default does. */
export const endSignal = (): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      process.removeListener('SIGTERM', end);
      process.removeListener('SIGINT', end);
      resolve();
    };
    process.once('SIGTERM', end);
    process.once('SIGINT', end);
  });

/**
 * What `begin` resolves with, or null when the process is told to end first: then that is said, so that no process ends
 * without a word, and the process ends as soon as its output is written.
 */
export const unlessEnded = async <Result>(
  begin: () => Promise<Result>,
  ended: Promise<void>,
): Promise<Result | null> => {
  const told = ended.then(() => null);
  const begun = await Promise.race([begin(), told]);
  if (begun === null) {
    console.log('asked to stop before startup was complete: stopping');
    // what is under way would keep the process; nothing of it is lost that a kill would not lose
    setImmediate(() => process.exit());
  }
  return begun;
};
