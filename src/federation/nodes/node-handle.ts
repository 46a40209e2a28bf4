import type { ErrorCode } from '../../errors/errors.ts';
import type { ReleasedDimension } from '../../introspection/fields/disclosure-config.ts';
import type { NodeStatus, WithheldStatement } from '../../search/nodes-answer.ts';
import type { TrackedState } from '../../search/node-states.ts';
import type { NodeView } from './node-view.ts';

/** Latencies of the most recent calls, in milliseconds. */
export interface Latencies {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** The number of calls measured. */
  readonly calls: number;
}

/** What /ready, GET /network and the log report about a node. */
export interface NodeReport {
  readonly nodeId: string;
  readonly displayName: string;
  readonly kind: 'local' | 'remote';
  readonly state: TrackedState;
  /** ISO 8601: the start of the current state. */
  readonly since: string;
  /** The last failure: the reason why the node is not ok, or one from long ago; safe to show. */
  readonly lastError: string | null;
  readonly lastErrorCode: ErrorCode | null;
  /** ISO 8601. */
  readonly lastErrorAt: string | null;
  /** ISO 8601: when the node last answered; null before it did. */
  readonly lastAnswerAt: string | null;
  /** Calls sent since the process started, and how many failed; neither includes calls blocked by an open circuit. */
  readonly requests: number;
  readonly failures: number;
  readonly latencyMs: Latencies | null;
  /** null for a local node, which has no circuit. */
  readonly circuit: 'closed' | 'open' | null;
  /** What discovery found; null for a local node and until discovery succeeds. */
  readonly discovery: { readonly inferred: boolean; readonly version: string | null } | null;
  /**
   * What its answers are where it shows no records, and counts only as intervals: a local node by default, another to
   * this server; null: records.
   */
  readonly disclosure: WithheldStatement | null;
  /** By what another server counts then; null or unset: it does not say. */
  readonly released?: readonly ReleasedDimension[] | null;
  /** Guessed field names and types, and similar notices. */
  readonly warnings: readonly string[];
  /** Of a node that is a network: the states of its own nodes when it was last queried; unset: it is none. */
  readonly within?: readonly Pick<NodeStatus, 'nodeId' | 'name' | 'state' | 'errors'>[];
}

/** A change of a node's state. */
export interface NodeChange {
  readonly nodeId: string;
  readonly kind: NodeReport['kind'];
  readonly state: TrackedState;
  readonly was: TrackedState;
  /** ISO 8601: the start of the previous state. */
  readonly wasSince: string;
  readonly since: string;
  /** Code of the failure that caused the change; null for a healthy node. */
  readonly code: ErrorCode | null;
  readonly reason: string | null;
}

/** One call that was sent to a node. */
export interface NodeCall {
  readonly nodeId: string;
  /** null on success. */
  readonly code: ErrorCode | null;
  readonly tookMs: number;
}

/** Is notified of what happens to the nodes. */
export interface NodeObserver {
  readonly changed: (change: NodeChange) => void;
  readonly called: (call: NodeCall) => void;
}

/** A node for the life of the process. */
export interface NodeHandle {
  /** Resolves once the node's discovery has ended; never rejects. */
  readonly ready: Promise<void>;
  readonly view: () => NodeView;
  readonly report: () => NodeReport;
  readonly close: () => void;
}
