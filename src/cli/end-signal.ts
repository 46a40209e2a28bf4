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
