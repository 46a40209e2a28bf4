import type { JsonObject } from '../../../json/json.ts';
import type { Columns } from '../columns/columns.ts';
import { readRow } from '../columns/row.ts';
import { parseStored } from '../store/store-file.ts';
import type { DocumentStore, StoredDocument } from '../store/store.ts';

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
    const asked = Math.min(left, replaySlice);
    const slice = store.documentsAfter(seqNo, asked);
    isComplete = slice.length < asked;
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
