/** Receives SIGHUP, which would end the process otherwise. */
export interface HangUps {
  /** Calls `listener` for each signal from now on, and now if one came before. */
  readonly listen: (listener: () => void) => void;
}

/** Receives the signal from the first moment on: a server that is still starting reloads once it is up. */
export const hangUps = (): HangUps => {
  let waiting = false;
  let listener: (() => void) | null = null;
  process.on('SIGHUP', () => {
    if (listener === null) waiting = true;
    else listener();
  });
  return {
    listen: (called) => {
      listener = called;
      if (waiting) called();
    },
  };
};
