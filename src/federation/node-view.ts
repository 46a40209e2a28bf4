import type { ErrorCode } from '../errors.ts';
import type { Fields } from '../introspection/field.ts';
import type { SearchFn } from '../local/query.ts';
import type { NodeConfig } from './nodes.ts';
import type { Renaming } from './renaming.ts';

/** A node as it stands when a query arrives. */
export interface NodeView {
  readonly config: NodeConfig;
  readonly renaming: Renaming;
  readonly status: NodeUp | NodeDown;
}

export interface NodeUp {
  readonly kind: 'up';
  /** By the node's own paths. */
  readonly fields: Fields;
  /** Whether this node can aggregate one of its paths. */
  readonly aggregates: (path: string) => boolean;
  readonly search: SearchFn;
}

/** Not asked: a failed discovery, a failed local catalogue, an open circuit. */
export interface NodeDown {
  readonly kind: 'down';
  readonly code: ErrorCode;
  /** Safe to show. */
  readonly reason: string;
}
