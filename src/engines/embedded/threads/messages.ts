import type { MessagePort } from 'node:worker_threads';
import { yieldToEventLoop } from '../../../lib/concurrency/yield-to-event-loop.ts';
import type { SharedColumns } from '../index/shared-columns.ts';
import type { TextOperation } from '../index/write-operation.ts';
import type { CursorValue, IndexAction, SearchQuery } from '../../engine.ts';
import type { FacetResult } from '../../measure.ts';
import type { ErrorCode } from '../../../lib/errors/errors.ts';

export interface SearchRequest {
  readonly kind: 'search';
  readonly index: string;
  readonly query: SearchQuery;
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

/** The names of an index and of the state of its columns. */
export interface IndexIdentity extends Pick<SearchReply, 'generation' | 'lastWriteMs' | 'index'> {
  /** Named by its cursors. */
  readonly incarnation: string;
}

/** An index's columns for a reader. */
export interface SharedIndex extends SharedColumns, IndexIdentity {}

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

/**
 * Shared memory between a thread and its callers: messages are only read between requests, this even during one. Every
 * request handed to the thread has a slot.
 */
export type ThreadBoard = Int32Array<SharedArrayBuffer>;

const attentionAt = 0;
const firstSlot = 1;

/** The maximum number of requests handed to a thread at once. */
export const boardSlots = 63;

/** A board in shared memory, for all threads of an engine. */
export const newBoard = (): ThreadBoard =>
  new Int32Array(new SharedArrayBuffer(4 * (firstSlot + boardSlots)));

/** Clears a slot for another request. */
export const clearSlot = (board: ThreadBoard, slot: number): void => {
  Atomics.store(board, firstSlot + slot, 0);
};

/** Marks a request whose answer no client is waiting for any more. */
export const stop = (board: ThreadBoard, slot: number): void => {
  Atomics.store(board, firstSlot + slot, 1);
};

/** Whether no client waits for the search in a slot any more. */
export const isStopped = (board: ThreadBoard, slot: number): boolean =>
  Atomics.load(board, firstSlot + slot) !== 0;

/** Signals a thread to check for urgent requests, even during a search. */
export const callAttention = (board: ThreadBoard): void => {
  Atomics.store(board, attentionAt, 1);
};

/** Whether the thread has been signalled since the last check. */
export const takeAttention = (board: ThreadBoard): boolean =>
  Atomics.load(board, attentionAt) !== 0 && Atomics.exchange(board, attentionAt, 0) !== 0;

/** A SearchResult in transit: the hits' sources are JSON strings, which are cheaper to transfer than objects. */
export interface SearchReply {
  /** Identifies the state of the index that answered, in every process: equal values, equal documents. */
  readonly generation: string;
  /** When documents were last written or deleted; undefined: not known. */
  readonly lastWriteMs?: number | undefined;
  /** The name of the index, not an alias. */
  readonly index: string;
  readonly total: number | null;
  readonly hits: readonly { readonly id: string; readonly cursor: readonly CursorValue[] }[];
  /** JSON lists that together hold all sources; several, so that the receiver can do other work in between. */
  readonly sources: readonly string[];
  readonly facets: readonly EncodedFacet[];
  readonly tookMs: number;
}

/**
 * A facet encoded for another thread. Receiving hundreds of bucket objects costs more time than counting them did, so
 * buckets are sent as JSON strings; in pieces, so that the receiver can do other work in between.
 */
export type EncodedFacet = Exclude<FacetResult, { buckets: unknown }> | EncodedBuckets;

interface EncodedBuckets {
  readonly kind: 'buckets';
  /** Everything except the buckets. */
  readonly result: Omit<Extract<FacetResult, { buckets: unknown }>, 'buckets'>;
  /** Each is a list of buckets. */
  readonly texts: readonly string[];
}

/** Decodes a facet. @throws the reason of the signal */
export const decodeFacet = async (sent: EncodedFacet, signal?: AbortSignal): Promise<FacetResult> => {
  if (sent.kind !== 'buckets') return sent;
  return { ...sent.result, buckets: await readLists(sent.texts, signal) } as FacetResult;
};

/** The items of JSON lists, letting other work run in between. @throws the reason of the signal */
export const readLists = async <Item>(
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Item[]> => {
  const lists: (readonly Item[])[] = [];
  for (const text of texts) {
    if (lists.length > 0) await yieldToEventLoop(signal);
    lists.push(JSON.parse(text) as readonly Item[]);
  }
  return lists.length === 1 ? lists[0]! : lists.flat();
};
