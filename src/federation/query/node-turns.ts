import { TributaryError } from '../../errors/errors.ts';
import { onAbort } from '../../concurrency/abort-listener.ts';

/** Bounds how many requests to nodes are under way at the same time, over all queries. */
export interface NodeTurns {
  /**
   * Waits until so many more fit: queries begin in the order they came, each whole, so that its nodes have all of their
   * time. One that is larger than the bound has it for itself.
   * @param waitMs for so long at most
   * @returns ends one of the requests; call it as often as there are requests
   * @throws TributaryError TOO_MANY_REQUESTS when the wait is over, NODE_TIMEOUT when the signal is aborted
   */
  readonly take: (requests: number, waitMs: number, signal: AbortSignal) => Promise<() => void>;
}

interface Waiting {
  readonly requests: number;
  readonly begin: () => void;
}

/** Each takes a connection, thus an open file, and about half a millisecond of this process. */
const defaultMost = 2_048;

/** @param most requests under way at the same time */
export const openNodeTurns = (most = defaultMost): NodeTurns => {
  const waiting = new Set<Waiting>();
  let underWay = 0;
  const fits = (requests: number): boolean => underWay === 0 || underWay + requests <= most;
  const end = (): void => {
    underWay -= 1;
    beginNext();
  };
  const beginNext = (): void => {
    for (const next of waiting) {
      if (!fits(next.requests)) return;
      next.begin();
    }
  };
  return {
    take: (requests, waitMs, signal) => {
      if (signal.aborted) return Promise.reject(noTurnInTime(signal));
      if (waiting.size === 0 && fits(requests)) {
        underWay += requests;
        return Promise.resolve(end);
      }
      return new Promise((resolve, reject) => {
        const leave = (error: TributaryError): void => {
          stop();
          reject(error);
          beginNext();
        };
        const stop = (): void => {
          waiting.delete(one);
          clearTimeout(timer);
          stay();
        };
        const begin = (): void => {
          stop();
          underWay += requests;
          resolve(end);
        };
        const one = { requests, begin };
        waiting.add(one);
        const timer = setTimeout(() => leave(tooManyAtOnce(waitMs)), waitMs);
        const stay = onAbort(signal, () => leave(noTurnInTime(signal)));
      });
    },
  };
};

const noTurnInTime = ({ reason }: AbortSignal): TributaryError =>
  new TributaryError('NODE_TIMEOUT', 'had no turn in time', { cause: reason });

const tooManyAtOnce = (waitMs: number): TributaryError =>
  new TributaryError(
    'TOO_MANY_REQUESTS',
    `the network is busy with the queries of others: no turn came within ${waitMs} ms`,
    { details: { retryAfterSeconds: Math.ceil(waitMs / 1_000) } },
  );
