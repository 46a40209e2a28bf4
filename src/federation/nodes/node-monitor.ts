import type { ErrorCode } from '../../errors/errors.ts';
import { asTributaryError, errorCodes } from '../../errors/errors.ts';
import { isInvalidQuery } from '../remote/invalid-query.ts';
import { callerLeft } from './deadline.ts';
import { latencyWindow } from './latency-window.ts';
import type { NodeObserver, NodeReport } from './node-handle.ts';
import type { Failure, NodeStateTracker } from './track-node-state.ts';
import { isoTime, trackNodeState } from './track-node-state.ts';

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
