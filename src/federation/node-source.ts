import type { NodeView } from './node-view.ts';

/** What /ready, GET /network and the log say of a node. */
export interface NodeReport {
  readonly nodeId: string;
  readonly displayName: string;
  readonly kind: 'local' | 'remote';
  readonly state: 'discovering' | 'ok' | 'discoveryFailed' | 'unavailable' | 'circuitOpen';
  /** ISO 8601: since when the state holds. */
  readonly since: string;
  /** Why the node is not ok, or its last failed query; safe to show. */
  readonly lastError: string | null;
  /** Field names and types that are guesses, and the like. */
  readonly warnings: readonly string[];
}

/** A node over the life of the process. */
export interface NodeSource {
  /** Resolves once the node's discovery has ended; never rejects. */
  readonly ready: Promise<void>;
  readonly view: () => NodeView;
  readonly report: () => NodeReport;
  readonly close: () => void;
}
