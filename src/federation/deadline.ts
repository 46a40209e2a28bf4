import { TributaryError } from '../errors.ts';
import type { Caller } from '../local/query.ts';

/**
 * Runs what is asked of a node until its deadline, or until its caller leaves. What ignores its signal is left behind:
 * it must not hold the other nodes' answers up.
 * @throws TributaryError NODE_TIMEOUT, and what `run` throws
 */
export const withDeadline = async <T>(
  timeoutMs: number,
  caller: Caller,
  run: (caller: Caller) => Promise<T>,
): Promise<T> => {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(timedOut(timeoutMs)), timeoutMs);
  const signal = caller.signal ? AbortSignal.any([caller.signal, deadline.signal]) : deadline.signal;
  try {
    return await untilAborted(run({ ...caller, signal }), signal, timeoutMs);
  } finally {
    clearTimeout(timer);
  }
};

/** Whether a signal is that of a caller who went away, which says nothing of the node. */
export const callerLeft = (signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true && !(signal.reason instanceof TributaryError);

/**
 * An answer, unless its signal is aborted first.
 * @throws TributaryError the signal's own reason, or NODE_TIMEOUT
 */
export const untilAborted = async <T>(
  answer: Promise<T>,
  signal: AbortSignal | undefined,
  timeoutMs?: number,
): Promise<T> => (signal ? Promise.race([answer, aborted(signal, timeoutMs)]) : answer);

const aborted = (signal: AbortSignal, timeoutMs: number | undefined): Promise<never> =>
  new Promise((_, reject) => {
    const give = (): void =>
      reject(signal.reason instanceof TributaryError ? signal.reason : timedOut(timeoutMs));
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });

const timedOut = (timeoutMs: number | undefined): TributaryError =>
  new TributaryError(
    'NODE_TIMEOUT',
    timeoutMs === undefined ? 'did not answer in time' : `did not answer within ${timeoutMs} ms`,
  );
