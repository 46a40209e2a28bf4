/** Waits for a signal. */
export interface Leaver {
  /** Called once when the signal is aborted; must not throw. */
  left(reason: unknown): void;
}

/** By signal: those who wait for it, told by one listener. */
interface Waiting {
  readonly leavers: Set<Leaver>;
  readonly tellAll: () => void;
}

const waitingFor = new WeakMap<AbortSignal, Waiting>();

/**
 * Waits for a signal that many others may be waiting for: a signal goes through all its listeners to add or remove one,
 * which takes most of a query's time over a thousand nodes.
 * @param leaver told at once if the signal is aborted already
 */
export const waitForAbort = (signal: AbortSignal, leaver: Leaver): void => {
  if (signal.aborted) leaver.left(signal.reason);
  else (waitingFor.get(signal) ?? listen(signal)).leavers.add(leaver);
};

/** Ends such a wait. */
export const endWait = (signal: AbortSignal, leaver: Leaver): void => {
  const waiting = waitingFor.get(signal);
  // a signal with a listener may be kept in memory for it
  if (waiting?.leavers.delete(leaver) && waiting.leavers.size === 0) forget(signal, waiting);
};

/**
 * The same with a function.
 * @param left called once when the signal is aborted, at once if it is already; must not throw
 * @returns ends the wait
 */
export const onAbort = (signal: AbortSignal, left: () => void): (() => void) => {
  const leaver = { left };
  waitForAbort(signal, leaver);
  return () => endWait(signal, leaver);
};

/**
 * An answer, unless a signal is aborted first: then the answer is not waited for.
 * @param left the error, by the signal's reason
 */
export const unlessAborted = <Answer>(
  answer: Promise<Answer>,
  signal: AbortSignal,
  left: (reason: unknown) => Error,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    // a race takes two promises more, which live as long as the slowest of a thousand nodes takes
    const stay = onAbort(signal, () => reject(left(signal.reason)));
    const failed = (error: unknown): void => {
      stay();
      // as it was thrown
      reject(error as Error);
    };
    answer.then((value) => {
      stay();
      resolve(value);
    }, failed);
  });

const listen = (signal: AbortSignal): Waiting => {
  const leavers = new Set<Leaver>();
  const tellAll = (): void => {
    for (const leaver of leavers) leaver.left(signal.reason);
    leavers.clear();
    forget(signal, waiting);
  };
  const waiting = { leavers, tellAll };
  waitingFor.set(signal, waiting);
  signal.addEventListener('abort', tellAll, { once: true });
  return waiting;
};

const forget = (signal: AbortSignal, { tellAll }: Waiting): void => {
  waitingFor.delete(signal);
  signal.removeEventListener('abort', tellAll);
};
