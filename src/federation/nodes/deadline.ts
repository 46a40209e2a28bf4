import { asTributaryError, TributaryError } from '../../errors/errors.ts';
import { onAbort, unlessAborted } from '../../concurrency/abort-listener.ts';
import type { RequestContext } from '../../search/request-context.ts';

/** A time limit for the nodes' answers, counted from when it is opened. */
export interface Deadline {
  /** The caller, with a signal that the deadline aborts too. */
  readonly context: RequestContext;
  /**
   * An answer, unless the deadline passes or the caller disconnects first. A call that ignores its signal is abandoned:
   * it must not delay the other nodes' answers.
   * @throws TributaryError NODE_TIMEOUT, and whatever the answer rejects with
   */
  readonly before: <T>(answer: Promise<T>) => Promise<T>;
  /** Call this when all have answered. */
  readonly end: () => void;
}

/**
 * Opens a deadline; its timer runs until `end` is called.
 * @param isOfCaller that a node does not meet it says nothing about the node, as its caller gave it little time
 */
export const openDeadline = (timeoutMs: number, context: RequestContext, isOfCaller = false): Deadline => {
  const controller = new AbortController();
  const passed = (): void => controller.abort(timedOut(timeoutMs, isOfCaller ? ofCaller : undefined));
  const timer = setTimeout(passed, timeoutMs);
  const leave = (): void => controller.abort(context.signal?.reason);
  const stay = context.signal && onAbort(context.signal, leave);
  return {
    context: context.withDeadline(controller.signal, performance.now() + timeoutMs),
    before: (answer) => untilAborted(answer, controller.signal, timeoutMs),
    end: () => {
      clearTimeout(timer);
      stay?.();
    },
  };
};

/**
 * Runs a call to one node until its deadline passes or its caller disconnects.
 * @throws TributaryError NODE_TIMEOUT, and whatever `run` throws
 */
export const withDeadline = async <T>(
  timeoutMs: number,
  context: RequestContext,
  run: (context: RequestContext) => Promise<T>,
): Promise<T> => {
  const deadline = openDeadline(timeoutMs, context);
  try {
    return await deadline.before(run(deadline.context));
  } finally {
    deadline.end();
  }
};

/** The cause of a timeout that is the caller's. */
const ofCaller = new Error('the caller gave less time than the node is given');

/** Whether a signal was aborted by a caller who disconnected or gave little time, which says nothing about the node. */
export const callerLeft = (signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true && !(signal.reason instanceof TributaryError && signal.reason.cause !== ofCaller);

/** Whether a signal was aborted by anything but the node's own deadline: this server's limit of a request, too. */
export const endedEarly = (signal: AbortSignal | undefined): boolean =>
  callerLeft(signal) || (signal?.aborted === true && asTributaryError(signal.reason).code !== 'NODE_TIMEOUT');

/**
 * An answer, unless its signal is aborted first.
 * @throws TributaryError the signal's own reason, or NODE_TIMEOUT
 */
export const untilAborted = <T>(
  answer: Promise<T>,
  signal: AbortSignal | undefined,
  timeoutMs?: number,
): Promise<T> =>
  signal
    ? unlessAborted(answer, signal, (reason) =>
        reason instanceof TributaryError ? reason : timedOut(timeoutMs),
      )
    : answer;

const timedOut = (timeoutMs: number | undefined, cause?: Error): TributaryError =>
  new TributaryError(
    'NODE_TIMEOUT',
    timeoutMs === undefined ? 'did not answer in time' : `did not answer within ${timeoutMs} ms`,
    { cause },
  );
