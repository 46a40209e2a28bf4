import type { JsonObject } from '../../../lib/json/json.ts';
import { Columns } from '../columns/columns.ts';
import { readRow } from '../columns/row.ts';
import { parseStored } from '../store/store-file.ts';
import type { DocumentStore, StoredDocument } from '../store/store.ts';
import { hasBit } from '../columns/bitset.ts';

/** How far columns have caught up with a store. */
export interface ReplayCheckpoint {
  readonly seqNo: number;
  readonly deletion: number;
}

export interface Replayed extends ReplayCheckpoint {
  /** Documents and deletions replayed. */
  readonly changes: number;
  /** Whether those were all. */
  readonly isComplete: boolean;
}

/** Documents read from the store at once; more would only take up memory. */
const replaySlice = 256;

/**
 * Applies the documents and deletions after a checkpoint to columns, at most `limit` documents.
 * @param lastDocId the highest number ever assigned, which the columns reach when complete
 */
export const replay = (
  store: DocumentStore,
  columns: Columns,
  from: ReplayCheckpoint,
  lastDocId: number,
  limit: number,
): Replayed => {
  let { seqNo, deletion } = from;
  let changes = 0;
  let left = limit;
  let isComplete = false;
  while (!isComplete && left > 0) {
    const sliceSize = Math.min(left, replaySlice);
    const slice = store.documentsAfter(seqNo, sliceSize);
    isComplete = slice.length < sliceSize;
    left -= slice.length;
    for (const { docId, id, src } of slice) {
      columns.append(docId, id, readRow(columns.tree, parseStored(src), false));
      seqNo = docId;
    }
    if (isComplete) seqNo = Math.max(seqNo, lastDocId);
    const deletions = store.deletionsAfter(deletion, seqNo);
    for (const { docId } of deletions) columns.remove(docId);
    deletion = deletions.at(-1)?.seq ?? deletion;
    changes += slice.length + deletions.length;
  }
  columns.seal();
  return { seqNo, deletion, changes, isComplete };
};

/** Stored documents with their numbers, parsed lazily. */
export function* parsed(
  documents: Iterable<StoredDocument>,
): Generator<readonly [number: number, document: JsonObject]> {
  for (const { docId, src } of documents) yield [docId, parseStored(src)];
}

/** Smaller indexes have too little to reclaim. */
const smallestCompacted = 10_000;

/** Whether most of the columns belongs to deleted documents. */
export const isMostlyDead = ({ root, liveCount }: Columns): boolean =>
  root.count >= smallestCompacted && liveCount * 2 < root.count;

/**
 * Builds columns of only the live documents, in slices, while the old columns keep answering. They replace the old ones
 * once they hold the same documents.
 */
export class Compaction {
  readonly columns: Columns;
  /** The columns to replace, and their fields: other fields need a new compaction. */
  readonly #old: Columns;
  readonly #oldTree: Columns['tree'];
  #docId = 0;

  constructor(mapping: JsonObject, old: Columns) {
    this.columns = new Columns(mapping);
    this.#old = old;
    this.#oldTree = old.tree;
  }

  /** Whether these columns, with these fields, are the ones being replaced. */
  isFor(columns: Columns): boolean {
    return columns === this.#old && columns.tree === this.#oldTree;
  }

  /** Copies at most `limit` documents, none past `lastDocId`. Returns whether those were all. */
  step(store: DocumentStore, lastDocId: number, limit: number): boolean {
    const slice = store.documentsAfter(this.#docId, limit).filter(({ docId }) => docId <= lastDocId);
    for (const { docId, id, src } of slice) {
      this.columns.append(docId, id, readRow(this.columns.tree, parseStored(src), false));
      this.#docId = docId;
    }
    return slice.length < limit;
  }

  /**
   * Removes documents deleted since they were copied. Returns whether the new columns now match the old ones; they may
   * not while the old ones lack deletions by another process.
   */
  finish(): boolean {
    let ordinal = 0;
    for (let at = 0; at < this.columns.root.count; at++) {
      const number = this.columns.docIds.at(at);
      while (ordinal < this.#old.root.count && this.#old.docIds.at(ordinal) < number) ordinal++;
      const isLive =
        ordinal < this.#old.root.count &&
        this.#old.docIds.at(ordinal) === number &&
        hasBit(this.#old.live, ordinal);
      if (!isLive) this.columns.remove(number);
    }
    this.columns.seal();
    return this.columns.liveCount === this.#old.liveCount;
  }
}
