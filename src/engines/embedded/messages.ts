import type { ErrorCode } from '../../errors.ts';
import type { CursorValue, FacetResult, IndexAction, SearchQuery } from '../engine.ts';
import type { TextOperation } from './live-index.ts';

/** What the engine's thread is asked. */
export type Request =
  | { readonly kind: 'describe'; readonly index: string }
  | { readonly kind: 'search'; readonly index: string; readonly query: SearchQuery }
  | { readonly kind: 'write'; readonly index: string; readonly operations: readonly TextOperation[] }
  | { readonly kind: 'manage'; readonly action: IndexAction }
  /** Writes snapshots; the thread ends after its reply. */
  | { readonly kind: 'close' };

export interface RequestMessage {
  readonly id: number;
  readonly request: Request;
}

export type ReplyMessage =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: ErrorMessage };

/** Something an admin should know that no request is to blame for. */
export interface WarningMessage {
  readonly warning: string;
}

/** An error as it crosses threads. */
export interface ErrorMessage {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The stack of what went wrong underneath. */
  readonly cause?: string;
}

/** A SearchResult on its way: the hits' sources are one JSON text, which is cheaper to hand over than objects. */
export interface SearchReply {
  readonly total: number | null;
  readonly hits: readonly { readonly id: string; readonly cursor: readonly CursorValue[] }[];
  readonly sources: string;
  readonly facets: readonly FacetResult[];
  readonly tookMs: number;
}
