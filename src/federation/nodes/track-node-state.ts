import type { ErrorCode } from '../../errors/errors.ts';
import type { NodeChange, NodeReport } from './node-handle.ts';
import type { TrackedState } from '../../search/node-states.ts';

/** Why a node is not ok. */
export interface Failure {
  readonly code: ErrorCode;
  /** Safe to show. */
  readonly reason: string;
}

export interface NodeStateSettings {
  readonly nodeId: string;
  readonly kind: NodeReport['kind'];
  readonly first: 'discovering' | 'ok';
  /** Called once for every change. */
  readonly changed: (change: NodeChange) => void;
  /** How long a failed node must keep answering before it counts as ok again, so that the log stays readable. */
  readonly quietMs: number;
  readonly nowMs: () => number;
}

/** A node's state, its start, and the last failure. */
export interface NodeStateTracker {
  readonly state: () => TrackedState;
  readonly transitionTo: (state: TrackedState, failure: Failure | null) => void;
  /** Records a failure that does not change the state. */
  readonly recordFailure: (failure: Failure) => void;
  /** Records an answer: after enough time without failures the node is ok again. */
  readonly recordSuccess: () => void;
  readonly report: () => Pick<NodeReport, 'state' | 'since' | 'lastError' | 'lastErrorCode' | 'lastErrorAt'>;
  readonly close: () => void;
}

/** Tracks a node's state from its first one. */
export const trackNodeState = (settings: NodeStateSettings): NodeStateTracker => {
  const { nodeId, kind, first, changed, quietMs, nowMs } = settings;
  let current: { state: TrackedState; sinceMs: number } = { state: first, sinceMs: nowMs() };
  let last: (Failure & { atMs: number }) | null = null;
  let quiet: NodeJS.Timeout | undefined;
  const recordFailure = (failure: Failure): void => void (last = { ...failure, atMs: nowMs() });
  const transitionTo = (state: TrackedState, failure: Failure | null): void => {
    if (failure) recordFailure(failure);
    clearTimeout(quiet);
    quiet = undefined;
    if (state === current.state) return;
    const was = current;
    current = { state, sinceMs: nowMs() };
    const { code = null, reason = null } = failure ?? {};
    const times = { wasSince: isoTime(was.sinceMs), since: isoTime(current.sinceMs) };
    changed({ nodeId, kind, state, was: was.state, ...times, code, reason });
  };
  return {
    state: () => current.state,
    transitionTo,
    recordFailure,
    recordSuccess: () => {
      if (current.state === 'circuitOpen') transitionTo('ok', null);
      if (current.state === 'failing') quiet ??= setTimeout(() => transitionTo('ok', null), quietMs).unref();
    },
    report: () => ({
      state: current.state,
      since: isoTime(current.sinceMs),
      lastError: last?.reason ?? null,
      lastErrorCode: last?.code ?? null,
      lastErrorAt: last && isoTime(last.atMs),
    }),
    close: () => clearTimeout(quiet),
  };
};

/** Milliseconds since 1970 as ISO 8601. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
