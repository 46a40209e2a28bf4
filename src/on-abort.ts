/** By signal: those who wait for it, told by one listener. */
interface Waiting {
  readonly told: Set<() => void>;
  readonly tellAll: () => void;
}

const waitingFor = new WeakMap<AbortSignal, Waiting>();

/**
 * Waits for a signal that many others may be waiting for: a signal goes through all its listeners to add or remove one,
 * which takes most of a query's time over a thousand nodes.
 * @param left called once when the signal is aborted, at once if it is already; must not throw
 * @returns ends the wait
 */
export const onAbort = (signal: AbortSignal, left: () => void): (() => void) => {
  if (signal.aborted) {
    left();
    return () => undefined;
  }
  const waiting = waitingFor.get(signal) ?? listen(signal);
  // the same function may be given twice
  const tell = (): void => left();
  waiting.told.add(tell);
  return () => {
    // a signal with a listener may be kept in memory for it
    if (waiting.told.delete(tell) && waiting.told.size === 0) forget(signal, waiting);
  };
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
  const told = new Set<() => void>();
  const tellAll = (): void => {
    for (const tell of told) tell();
    told.clear();
    forget(signal, waiting);
  };
  const waiting = { told, tellAll };
  waitingFor.set(signal, waiting);
  signal.addEventListener('abort', tellAll, { once: true });
  return waiting;
};

const forget = (signal: AbortSignal, { tellAll }: Waiting): void => {
  waitingFor.delete(signal);
  signal.removeEventListener('abort', tellAll);
};
