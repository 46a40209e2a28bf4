/** The callbacks of a signal, called by the only listener that is registered. */
interface Listeners {
  readonly all: Set<() => void>;
  readonly notify: () => void;
}

/** Listeners by signal. Bounded by the requests in flight: an entry is removed with its last callback, or by the abort. */
const listenersOf = new WeakMap<AbortSignal, Listeners>();

/**
 * Listens to a signal that may have thousands of listeners: a signal goes through all its own listeners to add or remove
 * one, which takes most of a query's time over a thousand nodes.
 * @param callback called once when the signal is aborted, immediately if it is already; must not throw
 * @returns removes the listener
 */
export const onAbort = (signal: AbortSignal, callback: () => void): (() => void) => {
  const listener = (): void => callback();
  if (signal.aborted) listener();
  else (listenersOf.get(signal) ?? listen(signal)).all.add(listener);
  return () => {
    const listeners = listenersOf.get(signal);
    // a signal with a listener may be kept in memory for it
    if (listeners?.all.delete(listener) && listeners.all.size === 0) forget(signal, listeners);
  };
};

/**
 * Waits for a promise until a signal is aborted.
 * @param toError makes the error from the signal's reason
 */
export const unlessAborted = <Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
  toError: (reason: unknown) => Error,
): Promise<Value> =>
  new Promise((resolve, reject) => {
    // Promise.race would make two more promises, which live as long as the slowest of a thousand nodes takes
    const remove = onAbort(signal, () => reject(toError(signal.reason)));
    const onError = (error: unknown): void => {
      remove();
      // rejects with the original error
      reject(error as Error);
    };
    promise.then((value) => {
      remove();
      resolve(value);
    }, onError);
  });

const listen = (signal: AbortSignal): Listeners => {
  const all = new Set<() => void>();
  const notify = (): void => {
    for (const listener of all) listener();
    all.clear();
    forget(signal, listeners);
  };
  const listeners = { all, notify };
  listenersOf.set(signal, listeners);
  signal.addEventListener('abort', notify, { once: true });
  return listeners;
};

const forget = (signal: AbortSignal, { notify }: Listeners): void => {
  listenersOf.delete(signal);
  signal.removeEventListener('abort', notify);
};
