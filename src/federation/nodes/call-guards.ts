import { asTributaryError, TributaryError } from '../../errors/errors.ts';
import { onAbort, unlessAborted } from '../../concurrency/abort-listener.ts';
import type { RequestContext } from '../../search/request-context.ts';
import type { Failure } from './node-view.ts';

/**
 * Runs a call to one node until its deadline passes or its caller disconnects. A call that ignores its signal is
 * abandoned: it must not delay the other nodes' answers.
 * @param run receives the context with a signal that the deadline aborts, too
 * @param isOfCaller missing the deadline is not a failure of the node, as its caller had little time
 * @throws TributaryError NODE_TIMEOUT, and whatever `run` throws
 */
export const withDeadline = async <T>(
  timeoutMs: number,
  context: RequestContext,
  run: (context: RequestContext) => Promise<T>,
  isOfCaller = false,
): Promise<T> => {
  const controller = new AbortController();
  const onTimeout = (): void => controller.abort(timedOut(timeoutMs, isOfCaller ? ofCaller : undefined));
  const timer = setTimeout(onTimeout, timeoutMs);
  const removeListener =
    context.signal && onAbort(context.signal, () => controller.abort(context.signal?.reason));
  try {
    const limited = context.withDeadline(controller.signal, performance.now() + timeoutMs);
    return await untilAborted(run(limited), controller.signal, timeoutMs);
  } finally {
    clearTimeout(timer);
    removeListener?.();
  }
};

/** The cause of a timeout that is the caller's. */
const ofCaller = new Error('the caller has less time than the node may take');

/** Whether a signal was aborted by a caller who disconnected or had little time: not a failure of the node. */
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
    timeoutMs === undefined ? 'timed out' : `did not answer within ${timeoutMs} ms`,
    { cause },
  );

const failuresToOpen = 3;
const firstPauseMs = 5_000;
const maxPauseMs = 60_000;

/**
 * Stops calling a node for a while after three consecutive failures to reach it; after a pause one call is let through
 * as a probe, and the pause doubles while probes fail. Any answer from the node, whatever its content, closes the
 * circuit.
 */
export class Circuit {
  readonly #nowMs: () => number;
  readonly #onOpen: (failure: Failure) => void;
  #failures = 0;
  #opened: { reason: string; sinceMs: number; untilMs: number; pauseMs: number } | null = null;
  #isProbing = false;

  /**
   * @param nowMs the clock, in milliseconds
   * @param onOpen called once when it opens, not for failed probes
   */
  constructor(nowMs: () => number = Date.now, onOpen: (failure: Failure) => void = () => undefined) {
    this.#nowMs = nowMs;
    this.#onOpen = onOpen;
  }

  /** Why and since when it is open; null while closed. */
  get opened(): { readonly reason: string; readonly sinceMs: number } | null {
    return this.#opened;
  }

  /**
   * Runs one call to the node unless the circuit is open.
   * @param signal the call's own; a caller who disconnects is not a failure of the node
   * @throws TributaryError NODE_CIRCUIT_OPEN, and whatever the call throws
   */
  async run<T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const opened = this.#opened;
    if (opened && (this.#isProbing || this.#nowMs() < opened.untilMs)) throw circuitOpen(opened.reason);
    const isProbe = opened !== null;
    this.#isProbing ||= isProbe;
    try {
      const answer = await call();
      this.#close();
      return answer;
    } catch (error) {
      if (!endedEarly(signal)) this.#onFailure(error, isProbe);
      throw error;
    } finally {
      if (isProbe) this.#isProbing = false;
    }
  }

  #close(): void {
    this.#failures = 0;
    this.#opened = null;
  }

  #onFailure(error: unknown, isProbe: boolean): void {
    const { code, message: reason } = asTributaryError(error);
    if (code !== 'NODE_TIMEOUT' && code !== 'NODE_UNREACHABLE') return this.#close();
    this.#failures += 1;
    const before = this.#opened;
    // calls that were in flight when it opened add no information
    if (this.#failures < failuresToOpen || (before && !isProbe)) return;
    const pauseMs = before ? Math.min(before.pauseMs * 2, maxPauseMs) : firstPauseMs;
    const nowMs = this.#nowMs();
    this.#opened = { reason, sinceMs: before?.sinceMs ?? nowMs, untilMs: nowMs + pauseMs, pauseMs };
    if (!before) this.#onOpen({ code, reason });
  }
}

const circuitOpen = (reason: string): TributaryError =>
  new TributaryError('NODE_CIRCUIT_OPEN', `is not queried for now after repeated failures: ${reason}`);
