import type { BuildSettings } from './built-network.ts';
import type { NetworkLog } from './nodes/log-nodes.ts';
import type { NodeObserver } from './nodes/node-handle.ts';

export interface NetworkSettings extends BuildSettings {
  /** The value of an environment variable, for nodes' credentials. */
  readonly secret: (variable: string) => string | undefined;
  /** The largest response accepted from a node, in bytes after decompression. */
  readonly maxResponseBytes: number;
  /** One line per change of a node's state, plus the start-up messages. */
  readonly log: NetworkLog | null;
  /** Notified of every call to a node and every change of its state. */
  readonly observer: NodeObserver | null;
  /** How long queries wait for discovery, in milliseconds; nodes that take longer join later. */
  readonly readyWaitMs: number;
  /** How often a healthy node is asked whether it offers anything new, in milliseconds. */
  readonly recheckMs: number;
}
