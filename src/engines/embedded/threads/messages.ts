import type { MessagePort } from 'node:worker_threads';
import type { ErrorCode } from '../../../errors.ts';
import type { CursorValue, IndexAction, SearchQuery } from '../../engine.ts';
import type { TextOperation } from '../index/write-operation.ts';
import type { FacetWorkQueue } from '../query/facet-work-queue.ts';
import type { EncodedFacet } from './encode-facet.ts';
import type { SharedColumns } from '../index/shared-columns.ts';
import type { ThreadBoard } from './thread-board.ts';

/** A search: all of it, or, with other threads, those of its facets that none of them has taken. */
export interface SearchRequest {
  readonly kind: 'search';
  readonly index: string;
  readonly query: SearchQuery;
  readonly taken?: FacetWorkQueue;
}

/** What the engine's thread is asked. */
export type WriterRequest =
  | { readonly kind: 'describe'; readonly index: string }
  | SearchRequest
  | { readonly kind: 'write'; readonly index: string; readonly operations: readonly TextOperation[] }
  | { readonly kind: 'manage'; readonly action: IndexAction }
  /** The columns as they are now, null when they are still those of the token `known`. */
  | { readonly kind: 'share'; readonly index: string; readonly known: string | null }
  /** Writes snapshots; the thread ends after its reply. */
  | { readonly kind: 'close' };

/** What a reader's thread is asked. */
export type ReaderRequest =
  | { readonly kind: 'attach'; readonly index: string; readonly columns: SharedIndex }
  /** Lets go of all columns. */
  | { readonly kind: 'forget' }
  /** Answered with null when it takes the engine's own thread. */
  | SearchRequest
  | { readonly kind: 'close' };

/** An index's columns for a reader, and the name that everybody knows their state by. */
export interface SharedIndex extends SharedColumns {
  readonly generation: string;
}

/** What a thread is started with. */
export interface ThreadData {
  readonly dataPath: string;
  readonly board: ThreadBoard;
  /** Where requests come from that may interrupt a search. */
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

/** A SearchResult on its way: the hits' sources are JSON texts, which are cheaper to hand over than objects. */
export interface SearchReply {
  /** Names the state of the index that answered: equal names, equal documents. */
  readonly state: string;
  /** The same for other processes and after a restart. */
  readonly generation: string;
  readonly total: number | null;
  readonly hits: readonly { readonly id: string; readonly cursor: readonly CursorValue[] }[];
  /** Lists, one after the other all sources; several, so that the receiver gets to other work between them. */
  readonly sources: readonly string[];
  /** null: taken by another thread. */
  readonly facets: readonly (EncodedFacet | null)[];
  readonly tookMs: number;
}
