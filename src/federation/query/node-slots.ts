import { TributaryError } from '../../errors/errors.ts';
import { onAbort } from '../../concurrency/abort-listener.ts';

/**
 * A semaphore over the requests to nodes that are in flight, shared by all queries: a query acquires a slot for each of
 * its nodes at once, and releases them one by one.
 */
export interface NodeSlots {
  /**
   * Waits until all slots are free: queries start in order of arrival, each as a whole, so that its nodes have their
   * full timeouts. A query larger than the limit runs alone.
   * @param waitMs the longest wait
   * @returns releases one slot; call it once for each request
   * @throws TributaryError TOO_MANY_REQUESTS when the wait is over, NODE_TIMEOUT when the signal is aborted
   */
  readonly acquire: (requests: number, waitMs: number, signal: AbortSignal) => Promise<() => void>;
}

interface Waiting {
  readonly requests: number;
  readonly start: () => void;
}

/** Each takes a connection, thus an open file, and about half a millisecond of this process. */
const defaultMax = 2_048;

/** @param max how many requests may be in flight */
export const openNodeSlots = (max = defaultMax): NodeSlots => {
  const waiting = new Set<Waiting>();
  let inFlight = 0;
  const fits = (requests: number): boolean => inFlight === 0 || inFlight + requests <= max;
  const release = (): void => {
    inFlight -= 1;
    startNext();
  };
  const startNext = (): void => {
    for (const next of waiting) {
      if (!fits(next.requests)) return;
      next.start();
    }
  };
  return {
    acquire: (requests, waitMs, signal) => {
      if (signal.aborted) return Promise.reject(timedOut(signal));
      if (waiting.size === 0 && fits(requests)) {
        inFlight += requests;
        return Promise.resolve(release);
      }
      return new Promise((resolve, reject) => {
        const leave = (error: TributaryError): void => {
          stop();
          reject(error);
          startNext();
        };
        const stop = (): void => {
          waiting.delete(one);
          clearTimeout(timer);
          removeListener();
        };
        const start = (): void => {
          stop();
          inFlight += requests;
          resolve(release);
        };
        const one = { requests, start };
        waiting.add(one);
        const timer = setTimeout(() => leave(tooManyQueries(waitMs)), waitMs);
        const removeListener = onAbort(signal, () => leave(timedOut(signal)));
      });
    },
  };
};

const timedOut = ({ reason }: AbortSignal): TributaryError =>
  new TributaryError('NODE_TIMEOUT', 'timed out in the queue', { cause: reason });

const tooManyQueries = (waitMs: number): TributaryError => {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  return new TributaryError(
    'TOO_MANY_REQUESTS',
    `too many queries in progress, retry in ${retryAfterSeconds} s`,
    {
      details: { retryAfterSeconds },
    },
  );
};
