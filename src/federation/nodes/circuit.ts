import { TributaryError, asTributaryError } from '../../errors.ts';
import { callerLeft } from './deadline.ts';
import type { Failure } from './track-node-state.ts';

/** Leaves a node alone for a while after repeated transport failures. */
export interface Circuit {
  /**
   * Runs one call to the node unless the circuit is open.
   * @param signal the call's own; a caller who leaves is no failure of the node
   * @throws TributaryError NODE_CIRCUIT_OPEN, and what the call throws
   */
  readonly run: <T>(call: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
  /** Why it is open, since when; null while closed. */
  readonly open: () => { readonly reason: string; readonly sinceMs: number } | null;
}

const failuresToOpen = 3;
const firstPauseMs = 5_000;
const maxPauseMs = 60_000;

/**
 * Opens after three failures in a row to reach the node; after a pause one call is let through as a probe, and the
 * pause doubles while probes fail. An answer of the node, whatever it says, closes the circuit.
 * @param nowMs the clock, in milliseconds
 * @param whenOpened told once when it opens, not of probes that fail
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
    // calls that were under way when it opened tell nothing new
    if (failures < failuresToOpen || (opened && !isProbe)) return;
    const pauseMs = opened ? Math.min(opened.pauseMs * 2, maxPauseMs) : firstPauseMs;
    const wasOpen = opened !== null;
    opened = { reason, sinceMs: opened?.sinceMs ?? nowMs(), untilMs: nowMs() + pauseMs, pauseMs };
    if (!wasOpen) whenOpened({ code, reason });
  };
  return {
    run: async (call, signal) => {
      if (opened && (probing || nowMs() < opened.untilMs)) throw circuitOpen(opened.reason);
      const isProbe = opened !== null;
      if (isProbe) probing = true;
      try {
        const answer = await call();
        succeeded();
        return answer;
      } catch (error) {
        if (callerLeft(signal)) throw error;
        const { code, message } = asTributaryError(error);
        if (code === 'NODE_TIMEOUT' || code === 'NODE_UNREACHABLE')
          failed({ code, reason: message }, isProbe);
        else succeeded();
        throw error;
      } finally {
        if (isProbe) probing = false;
      }
    },
    open: () => opened,
  };
};

const circuitOpen = (reason: string): TributaryError =>
  new TributaryError('NODE_CIRCUIT_OPEN', `is not queried for now after repeated failures: ${reason}`);
