import { TributaryError, asTributaryError } from '../../errors/errors.ts';
import { endedEarly } from './deadline.ts';
import type { Failure } from './node-monitor.ts';

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
