/** A page that waits for less says nothing. */
const quietMs = 2_000;

let waiting = 0;
const listeners = new Set<() => void>();

const change = (by: number): void => {
  waiting += by;
  listeners.forEach((listener) => listener());
};

/** Whether a request has waited for long because the server is too busy for it, and is being sent again. */
export const isBusy = (): boolean => waiting > 0;

/** Calls a listener when that changes, until the function it returns is called. */
export const followBusy = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The waiting of one request. */
export interface Patience {
  /** The server was too busy for it. */
  readonly refused: () => void;
  /** It was answered, failed or was given up. */
  readonly ended: () => void;
}

/** Begins with a request. */
export const openPatience = (): Patience => {
  const sentMs = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isShown = false;
  const show = (): void => {
    isShown = true;
    change(1);
  };
  return {
    refused: () => {
      timer ??= setTimeout(show, Math.max(0, sentMs + quietMs - performance.now()));
    },
    ended: () => {
      clearTimeout(timer);
      if (isShown) change(-1);
    },
  };
};
