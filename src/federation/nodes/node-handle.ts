import type { ErrorCode } from '../../errors.ts';
import type { Latencies } from './latency-window.ts';
import type { NodeView } from './node-view.ts';

/**
 * `failing`: its last calls went wrong, it is still asked. `discoveryFailed`: not asked for the life of the process.
 * `unavailable`: a local catalogue that cannot be searched now. `circuitOpen`: left alone for a while.
 */
export type NodeReportState =
  'discovering' | 'ok' | 'failing' | 'discoveryFailed' | 'unavailable' | 'circuitOpen';

/** What /ready, GET /network and the log say of a node. */
export interface NodeReport {
  readonly nodeId: string;
  readonly displayName: string;
  readonly kind: 'local' | 'remote';
  readonly state: NodeReportState;
  /** ISO 8601: since when the state holds. */
  readonly since: string;
  /** The last failure: why the node is not ok, or of a call long past; safe to show. */
  readonly lastError: string | null;
  readonly lastErrorCode: ErrorCode | null;
  /** ISO 8601. */
  readonly lastErrorAt: string | null;
  /** ISO 8601: when the node last answered; null before it did. */
  readonly lastAnswerAt: string | null;
  /** Calls sent since the process started, and those of them that failed; calls an open circuit held back are neither. */
  readonly requests: number;
  readonly failures: number;
  readonly latencyMs: Latencies | null;
  /** null for a local node, which has none. */
  readonly circuit: 'closed' | 'open' | null;
  /** What discovery found; null for a local node and before it ended well. */
  readonly discovery: { readonly inferred: boolean; readonly version: string | null } | null;
  /** Field names and types that are guesses, and the like. */
  readonly warnings: readonly string[];
}

/** A node's state is another one. */
export interface NodeChange {
  readonly nodeId: string;
  readonly kind: NodeReport['kind'];
  readonly state: NodeReportState;
  readonly was: NodeReportState;
  /** ISO 8601: since when it was that. */
  readonly wasSince: string;
  readonly since: string;
  /** Of the failure that led here; null for a node that is well. */
  readonly code: ErrorCode | null;
  readonly reason: string | null;
}

/** One call that was sent to a node. */
export interface NodeCall {
  readonly nodeId: string;
  /** null when it went well. */
  readonly code: ErrorCode | null;
  readonly tookMs: number;
}

/** Who is told what becomes of the nodes. */
export interface NodeObserver {
  readonly changed: (change: NodeChange) => void;
  readonly called: (call: NodeCall) => void;
}

/** A node over the life of the process. */
export interface NodeHandle {
  /** Resolves once the node's discovery has ended; never rejects. */
  readonly ready: Promise<void>;
  readonly view: () => NodeView;
  readonly report: () => NodeReport;
  readonly close: () => void;
}
