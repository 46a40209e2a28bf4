import { asTributaryError, TributaryError } from '../../errors/errors.ts';
import { onAbort, unlessAborted } from '../../concurrency/abort-listener.ts';
import type { RequestContext } from '../../search/request-context.ts';
import type { Failure } from './node-view.ts';

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

/** Stops calling a node for a while after repeated transport failures. */
export interface Circuit {
  /**
   * Runs one call to the node unless the circuit is open.
   * @param signal the call's own; a caller who disconnects is not a failure of the node
   * @throws TributaryError NODE_CIRCUIT_OPEN, and whatever the call throws
   */
  readonly run: <T>(call: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
  /** Why and since when it is open; null while closed. */
  readonly open: () => { readonly reason: string; readonly sinceMs: number } | null;
}

const failuresToOpen = 3;
const firstPauseMs = 5_000;
const maxPauseMs = 60_000;

/**
 * Opens after three consecutive failures to reach the node; after a pause one call is let through as a probe, and the
 * pause doubles while probes fail. Any answer from the node, whatever its content, closes the circuit.
 * @param nowMs the clock, in milliseconds
 * @param whenOpened called once when it opens, not for failed probes
 */
export const openCircuit = (
  nowMs: () => number = Date.now,
  whenOpened: (failure: Failure) => void = () => undefined,
): Circuit => {
  let failures = 0;
  let opened: { reason: string; sinceMs: number; untilMs: number; pauseMs: number } | null = null;
  let probing = false;
  const succeeded = (): void => {
    failures = 0;
    opened = null;
  };
  const failed = ({ code, reason }: Failure, isProbe: boolean): void => {
    failures += 1;
    // calls that were in flight when it opened add no information
    if (failures < failuresToOpen || (opened && !isProbe)) return;
    const pauseMs = opened ? Math.min(opened.pauseMs * 2, maxPauseMs) : firstPauseMs;
    const wasOpen = opened !== null;
    opened = { reason, sinceMs: opened?.sinceMs ?? nowMs(), untilMs: nowMs() + pauseMs, pauseMs };
    if (!wasOpen) whenOpened({ code, reason });
  };
  return {
    run: (call, signal) => {
      if (opened && (probing || nowMs() < opened.untilMs)) return Promise.reject(circuitOpen(opened.reason));
      const isProbe = opened !== null;
      if (isProbe) probing = true;
      return call().then(
        (answer) => {
          if (isProbe) probing = false;
          succeeded();
          return answer;
        },
        (error: unknown) => {
          if (isProbe) probing = false;
          if (endedEarly(signal)) throw error;
          const { code, message } = asTributaryError(error);
          if (code === 'NODE_TIMEOUT' || code === 'NODE_UNREACHABLE')
            failed({ code, reason: message }, isProbe);
          else succeeded();
          throw error;
        },
      );
    },
    open: () => opened,
  };
};

const circuitOpen = (reason: string): TributaryError =>
  new TributaryError('NODE_CIRCUIT_OPEN', `is not queried for now after repeated failures: ${reason}`);
