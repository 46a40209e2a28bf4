import type { JsonObject } from '../../../json.ts';
import { hasBit } from '../columns/bitset.ts';
import { Columns } from '../columns/columns.ts';
import { readRow } from '../columns/row.ts';
import { parseStored } from '../store/store-file.ts';
import type { DocumentStore } from '../store/store.ts';

/** Smaller indexes have too little to give back. */
const smallestCompacted = 10_000;

/** Whether most of what the columns hold is of documents that are gone. */
export const isMostlyDead = ({ root, liveCount }: Columns): boolean =>
  root.count >= smallestCompacted && liveCount * 2 < root.count;

/**
 * Columns of the live documents alone, built aside in slices while the old columns go on answering. They take the old
 * ones' place once they hold the same documents.
 */
export class Compaction {
  readonly columns: Columns;
  /** The columns to replace, and their fields: others need a compaction of their own. */
  readonly #old: Columns;
  readonly #oldTree: Columns['tree'];
  #docId = 0;

  constructor(mapping: JsonObject, old: Columns) {
    this.columns = new Columns(mapping);
    this.#old = old;
    this.#oldTree = old.tree;
  }

  /** Whether it is still these columns, with these fields, that are to be replaced. */
  isFor(columns: Columns): boolean {
    return columns === this.#old && columns.tree === this.#oldTree;
  }

  /** Takes in at most `limit` documents, none past `lastDocId`. Returns whether those were all. */
  step(store: DocumentStore, lastDocId: number, limit: number): boolean {
    const slice = store.documentsAfter(this.#docId, limit).filter(({ docId }) => docId <= lastDocId);
    for (const { docId, id, src } of slice) {
      this.columns.append(docId, id, readRow(this.columns.tree, parseStored(src), false));
      this.#docId = docId;
    }
    return slice.length < limit;
  }

  /**
   * Forgets what was deleted since it was taken in. Returns whether the new columns now hold what the old ones do; they
   * may not while the old ones lack deletions of another process.
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
