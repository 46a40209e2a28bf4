import { TributaryError, asTributaryError } from '../errors.ts';
import type { Caller, SearchFn } from '../local/query.ts';

/** A SearchFn that leaves a node alone for a while after repeated transport failures. */
export interface Circuit {
  readonly search: SearchFn;
  /** Why it is open, since when; null while closed. */
  readonly open: () => { readonly reason: string; readonly sinceMs: number } | null;
  /** The reason of the last failed query, null after one that went well. */
  readonly lastError: () => string | null;
}

const failuresToOpen = 3;
const firstPauseMs = 5_000;
const longestPauseMs = 60_000;

/**
 * Opens after three failures in a row to reach the node; after a pause one query is let through as a probe, and the
 * pause doubles while probes fail. An answer of the node, whatever it says, closes the circuit.
 * @param nowMs the clock, in milliseconds
 */
export const withCircuit = (search: SearchFn, nowMs: () => number = Date.now): Circuit => {
  let failures = 0;
  let opened: { reason: string; sinceMs: number; untilMs: number; pauseMs: number } | null = null;
  let probing = false;
  let lastError: string | null = null;
  const succeeded = (): void => {
    failures = 0;
    opened = null;
  };
  const failed = (reason: string): void => {
    failures += 1;
    if (failures < failuresToOpen) return;
    const pauseMs = opened ? Math.min(opened.pauseMs * 2, longestPauseMs) : firstPauseMs;
    opened = { reason, sinceMs: opened?.sinceMs ?? nowMs(), untilMs: nowMs() + pauseMs, pauseMs };
  };
  const guarded: SearchFn = async (query, caller) => {
    if (opened && (probing || nowMs() < opened.untilMs)) throw circuitOpen(opened.reason);
    const isProbe = opened !== null;
    if (isProbe) probing = true;
    try {
      const answer = await search(query, caller);
      succeeded();
      lastError = null;
      return answer;
    } catch (error) {
      lastError = asTributaryError(error).message;
      if (isTransportFailure(error, caller)) failed(lastError);
      else if (!caller.signal?.aborted) succeeded();
      throw error;
    } finally {
      if (isProbe) probing = false;
    }
  };
  return { search: guarded, open: () => opened, lastError: () => lastError };
};

/** A deadline counts, a caller who left does not: its signal carries another reason. */
const isTransportFailure = (error: unknown, { signal }: Caller): boolean => {
  const { code } = asTributaryError(error);
  if (code === 'NODE_TIMEOUT') return !signal?.aborted || signal.reason instanceof TributaryError;
  return code === 'NODE_UNREACHABLE';
};

const circuitOpen = (reason: string): TributaryError =>
  new TributaryError('NODE_CIRCUIT_OPEN', `is left alone for a while after repeated failures: ${reason}`);
