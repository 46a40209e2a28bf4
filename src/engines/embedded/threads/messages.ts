import type { MessagePort } from 'node:worker_threads';
import type { ErrorCode } from '../../../errors/errors.ts';
import type { CursorValue, IndexAction, SearchQuery } from '../../engine.ts';
import type { TextOperation } from '../index/write-operation.ts';
import type { FacetWorkQueue } from '../query/facet-work-queue.ts';
import type { EncodedFacet } from './encode-facet.ts';
import type { SharedColumns } from '../index/shared-columns.ts';
import type { ThreadBoard } from './thread-board.ts';

/** A search: all of it or, when shared with other threads, the facets that none of them has taken. */
export interface SearchRequest {
  readonly kind: 'search';
  readonly index: string;
  readonly query: SearchQuery;
  readonly taken?: FacetWorkQueue;
}

/** Requests to the engine's own thread. */
export type WriterRequest =
  | { readonly kind: 'describe'; readonly index: string }
  | SearchRequest
  | { readonly kind: 'write'; readonly index: string; readonly operations: readonly TextOperation[] }
  | { readonly kind: 'manage'; readonly action: IndexAction }
  /** The current columns; null when `known` is still their token. */
  | { readonly kind: 'share'; readonly index: string; readonly known: string | null }
  /** Writes snapshots; the thread ends after its reply. */
  | { readonly kind: 'close' };

/** Requests to a reader thread. */
export type ReaderRequest =
  | { readonly kind: 'attach'; readonly index: string; readonly columns: SharedIndex }
  /** Releases all columns. */
  | { readonly kind: 'forget' }
  /** Answered with null when only the engine's own thread can do it. */
  | SearchRequest
  | { readonly kind: 'close' };

/** An index's columns for a reader, and the generation that identifies their state everywhere. */
export interface SharedIndex extends SharedColumns {
  readonly generation: string;
}

/** What a thread is started with. */
export interface ThreadData {
  readonly dataPath: string;
  readonly board: ThreadBoard;
  /** Delivers requests that may interrupt a search. */
  readonly urgent: MessagePort;
}

export interface RequestMessage<Request = WriterRequest> {
  readonly id: number;
  /** Its place on the thread's board. */
  readonly slot: number;
  readonly request: Request;
}

export type ReplyMessage =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: ErrorMessage };

/** A warning for the admin that belongs to no request. */
export interface WarningMessage {
  readonly warning: string;
}

/** An error in transit between threads. */
export interface ErrorMessage {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The stack of the underlying error. */
  readonly cause?: string;
}

/** A SearchResult in transit: the hits' sources are JSON strings, which are cheaper to transfer than objects. */
export interface SearchReply {
  /** Identifies the state of the index that answered: equal values, equal documents. */
  readonly state: string;
  /** The same, but valid across processes and restarts. */
  readonly generation: string;
  readonly total: number | null;
  readonly hits: readonly { readonly id: string; readonly cursor: readonly CursorValue[] }[];
  /** JSON lists that together hold all sources; several, so that the receiver can do other work in between. */
  readonly sources: readonly string[];
  /** null: taken by another thread. */
  readonly facets: readonly (EncodedFacet | null)[];
  readonly tookMs: number;
}
