import type { JsonObject } from '../../../json/json.ts';
import { Columns } from '../columns/columns.ts';
import { readRow, type Row } from '../columns/row.ts';
import { parseStored } from '../store/store-file.ts';
import type { DocumentStore, StoredDocument } from '../store/store.ts';
import { hasBit } from '../columns/bitset.ts';
import { numbersOf } from '../columns/number-column.ts';
import type { Column, NestedLevel } from '../columns/nested-level.ts';
import type { Staged } from '../columns/value-reader.ts';

/** Documents read from the store at once; more would only take up memory. */
const replaySlice = 256;

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

/** More differences than this would add nothing. */
const maxDifferences = 20;

/**
 * Compares columns with the documents they were made from: every value of every field of every live document.
 * @param documents all stored documents, in the order of their numbers
 * @returns descriptions of the differences; empty when the columns are correct
 */
export const differences = (columns: Columns, documents: Iterable<StoredDocument>): readonly string[] => {
  const found: string[] = [];
  let live = 0;
  for (const { docId, id, src } of documents) {
    const ordinal = columns.ordinalOf(docId);
    live++;
    if (ordinal < 0 || !hasBit(columns.live, ordinal)) found.push(`document ${id} is not in the columns`);
    else {
      if (columns.idOf(ordinal) !== id) found.push(`document ${id} has the key ${columns.idOf(ordinal)}`);
      const row = readRow(columns.tree, parseStored(src), false);
      const field = firstDifference(columns.root, ordinal, row);
      if (field !== null) found.push(`document ${id} has other values in ${field}`);
    }
    if (found.length >= maxDifferences) return [...found, 'and perhaps more'];
  }
  if (columns.liveCount !== live) {
    found.push(`the columns count ${columns.liveCount} documents, ${live} are stored`);
  }
  return found;
};

/** The first field or nested path in which an object differs from its document, or null. */
const firstDifference = (level: NestedLevel, ordinal: number, row: Row): string | null => {
  for (const column of level.columns) {
    if (!isSame(valuesOf(column, ordinal), listOf(column, row.values[column.slot]))) return column.path;
  }
  for (const child of level.children) {
    const rows = row.children[child.slot] ?? [];
    const first = child.firstChildOf(ordinal);
    if (child.firstChildOf(ordinal + 1) - first !== rows.length) return child.path;
    for (const [i, inner] of rows.entries()) {
      const difference =
        child.parentOf.at(first + i) === ordinal ? firstDifference(child, first + i, inner) : child.path;
      if (difference !== null) return difference;
    }
  }
  return null;
};

const valuesOf = ({ data }: Column, ordinal: number): readonly Staged[] =>
  data.kind === 'number'
    ? numbersOf(data, ordinal)
    : data.codesOf(ordinal).map((code) => data.table.value(code));

/** Keyword columns keep each value once, as UTF-8. */
const listOf = ({ data }: Column, staged: Row['values'][number]): readonly Staged[] => {
  const list = staged === undefined ? [] : Array.isArray(staged) ? staged : [staged];
  return data.kind === 'number' ? list : [...new Set(list.map((text) => String(text).toWellFormed()))];
};

/** A chunk with exact values returns all of them as bigints. */
const isSame = (left: readonly Staged[], right: readonly Staged[]): boolean =>
  left.length === right.length &&
  left.every((value, i) => value === right[i] || String(value) === String(right[i]));

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
