import type { ErrorCode } from '../../errors/errors.ts';
import { asTributaryError, errorCodes } from '../../errors/errors.ts';
import { isInvalidQuery } from '../remote/answer-errors.ts';
import { callerLeft } from './call-guards.ts';
import type { Failure, NodeObserver, NodeReport, NodeChange, Latencies } from './node-view.ts';
import type { TrackedState, NodeState } from '../../search/node-states.ts';

export interface MonitorSettings {
  readonly nodeId: string;
  readonly kind: NodeReport['kind'];
  readonly observer: NodeObserver;
  /** Whether a remote node's circuit is open; null for a local node, which has none. */
  readonly isOpen: (() => boolean) | null;
  readonly first: 'discovering' | 'ok';
  readonly quietMs?: number;
  readonly nowMs?: () => number;
}

/** Tracks one node: its state and since when, its calls, its last failure. */
export interface NodeMonitor extends Pick<NodeStateTracker, 'state' | 'transitionTo' | 'close'> {
  /**
   * Runs one call to the node. A call blocked by its circuit does not count; a client error counts as an answer.
   * @param signal the call's own: a caller who disconnects is not a failure of the node
   */
  readonly run: <T>(call: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
  /** Three times the 99th percentile of its last 512 calls, at least 250 ms; null before the 20th call. */
  readonly adaptiveTimeoutMs: () => number | null;
  /** How long a call usually takes, in milliseconds; null before the first. */
  readonly usualMs: () => number | null;
  readonly report: () => Omit<NodeReport, 'displayName' | 'discovery' | 'disclosure' | 'warnings'>;
}

/** Opens the monitor of a node, in its first state and without calls. */
export const openNodeMonitor = (settings: MonitorSettings): NodeMonitor => {
  const { nodeId, kind, observer, isOpen, first, quietMs = 10_000, nowMs = Date.now } = settings;
  const window = latencyWindow();
  const node = trackNodeState({ nodeId, kind, first, changed: observer.changed, quietMs, nowMs });
  let lastAnswerMs: number | null = null;
  let [requests, failures] = [0, 0];
  const ended = (startedMs: number, code: ErrorCode | null): void => {
    const tookMs = performance.now() - startedMs;
    requests += 1;
    window.add(tookMs);
    observer.called({ nodeId, code, tookMs });
  };
  const recordSuccess = (): void => {
    lastAnswerMs = nowMs();
    node.recordSuccess();
  };
  const recordFailure = (failure: Failure): void => {
    failures += 1;
    if (isOpen?.()) node.transitionTo('circuitOpen', failure);
    else if (isFaultOfNode(failure.code)) node.transitionTo('failing', failure);
    else {
      node.recordFailure(failure);
      recordSuccess();
    }
  };
  return {
    ...node,
    run: (call, signal) => {
      const startedMs = performance.now();
      return call().then(
        (answer) => {
          ended(startedMs, null);
          recordSuccess();
          return answer;
        },
        (error: unknown) => {
          const { code, message } = asTributaryError(error);
          const isAboutCaller = code === 'NOT_DISCLOSED' || (kind === 'local' && aboutCaller.has(code));
          if (isInvalidQuery(error) || isAboutCaller) {
            ended(startedMs, null);
            recordSuccess();
          } else if (code !== 'NODE_CIRCUIT_OPEN' && !callerLeft(signal)) {
            ended(startedMs, code);
            recordFailure({ code, reason: errorCodes[code].safe ? message : 'internal error' });
          }
          throw error;
        },
      );
    },
    adaptiveTimeoutMs: window.adaptiveTimeoutMs,
    usualMs: window.usualMs,
    report: () => ({
      nodeId,
      kind,
      ...node.report(),
      lastAnswerAt: lastAnswerMs === null ? null : isoTime(lastAnswerMs),
      requests,
      failures,
      latencyMs: window.latencies(),
      circuit: isOpen && (isOpen() ? 'open' : 'closed'),
    }),
  };
};

/**
 * Refusals that are no fault of a catalogue of this process; from another node they mean that it refuses this server.
 * What is not disclosed is no fault of any.
 */
const aboutCaller: ReadonlySet<ErrorCode> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'TOO_MANY_REQUESTS']);

/** A refusal concerns the caller or the query; the node itself is healthy. */
const isFaultOfNode = (code: ErrorCode): boolean =>
  code !== 'NODE_REFUSED' && code !== 'NOT_READY' && errorCodes[code].status >= 500;

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
const trackNodeState = (settings: NodeStateSettings): NodeStateTracker => {
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
const isoTime = (ms: number): string => new Date(ms).toISOString();

export interface LatencyWindow {
  readonly add: (tookMs: number) => void;
  /** null before the first call. */
  readonly latencies: () => Latencies | null;
  /** A moving average that follows changes within a dozen calls, in milliseconds; null before the first call. */
  readonly usualMs: () => number | null;
  /** Three times the 99th percentile, at least 250; null before the 20th call. Kept for some calls, as it sorts. */
  readonly adaptiveTimeoutMs: () => number | null;
}

const minCalls = 20;
/** What a call weighs in the moving average: 1/8, as a measured round trip does in TCP (RFC 6298, section 2.3). */
const weight = 1 / 8;

/**
 * Nearest-rank percentiles of the most recent calls.
 * @param size how many calls are kept: older ones are dropped
 */
export const latencyWindow = (size = 512): LatencyWindow => {
  const kept = new Float64Array(size);
  let added = 0;
  let usual = 0;
  let current: { readonly at: number; readonly ms: number } | null = null;
  const adaptiveTimeoutMs = (): number | null => {
    if (added < minCalls) return null;
    if (current === null || added - current.at >= 16) {
      const sorted = kept.slice(0, Math.min(added, size)).sort();
      const p99 = sorted[Math.ceil(0.99 * sorted.length) - 1]!;
      current = { at: added, ms: Math.max(250, Math.ceil(3 * p99)) };
    }
    return current.ms;
  };
  return {
    adaptiveTimeoutMs,
    usualMs: () => (added === 0 ? null : usual),
    add: (tookMs) => {
      usual += (tookMs - usual) * (added === 0 ? 1 : weight);
      kept[added % size] = tookMs;
      added += 1;
    },
    latencies: () => {
      const calls = Math.min(added, size);
      if (calls === 0) return null;
      const sorted = kept.slice(0, calls).sort();
      const percentile = (share: number): number =>
        Math.round(sorted[Math.max(0, Math.ceil(share * calls) - 1)]! * 10) / 10;
      return { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99), calls };
    },
  };
};

const states: Readonly<Partial<Record<ErrorCode, NodeState>>> = {
  NODE_TIMEOUT: 'timeout',
  ENGINE_TIMEOUT: 'timeout',
  NODE_UNREACHABLE: 'unreachable',
  ENGINE_UNAVAILABLE: 'unreachable',
  NOT_READY: 'unreachable',
  index_not_found: 'unreachable',
  permission_denied: 'unreachable',
  connection_error: 'unreachable',
  mapping_fetch_error: 'unreachable',
  schema_build_error: 'unreachable',
  unknown_error: 'unreachable',
  NOT_FOUND: 'unreachable',
  NODE_REFUSED: 'refused',
  NETWORK_LOOP: 'refused',
  BAD_USER_INPUT: 'refused',
  TOO_MANY_REQUESTS: 'refused',
  UNAUTHENTICATED: 'refused',
  FORBIDDEN: 'refused',
  NOT_DISCLOSED: 'refused',
  NODE_DISCOVERING: 'discovering',
  NODE_DISCOVERY_FAILED: 'discoveryFailed',
  NODE_CIRCUIT_OPEN: 'circuitOpen',
};

/** The state of a node that failed to answer with this code; unlisted failures are bad responses. */
export const answerStateOf = (code: ErrorCode): NodeState => states[code] ?? 'badResponse';
