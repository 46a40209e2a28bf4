import type { JsonObject } from '../../../json.ts';
import type { Columns } from '../columns/columns.ts';
import { readRow } from '../columns/row.ts';
import { parseStored } from '../store/store-file.ts';
import type { DocumentStore, StoredDocument } from '../store/store.ts';

/** Documents read from the store at once; more only fill the memory. */
const replaySlice = 256;

/** How far columns have come in a store. */
export interface Place {
  readonly number: number;
  readonly deletion: number;
}

export interface Replayed extends Place {
  /** Documents and deletions taken in. */
  readonly changes: number;
  /** Whether those were all. */
  readonly isComplete: boolean;
}

/**
 * Lets columns take in the documents and deletions past a place, at most `limit` documents.
 * @param lastNumber the highest number ever given, where the columns are once all is in
 */
export const replay = (
  store: DocumentStore,
  columns: Columns,
  from: Place,
  lastNumber: number,
  limit: number,
): Replayed => {
  let { number, deletion } = from;
  let changes = 0;
  let left = limit;
  let isComplete = false;
  while (!isComplete && left > 0) {
    const asked = Math.min(left, replaySlice);
    const slice = store.documentsAfter(number, asked);
    isComplete = slice.length < asked;
    left -= slice.length;
    for (const { dn, id, src } of slice) {
      columns.append(dn, id, readRow(columns.tree, parseStored(src), false));
      number = dn;
    }
    if (isComplete) number = Math.max(number, lastNumber);
    const deletions = store.deletionsAfter(deletion, number);
    for (const { dn } of deletions) columns.remove(dn);
    deletion = deletions.at(-1)?.seq ?? deletion;
    changes += slice.length + deletions.length;
  }
  columns.seal();
  return { number, deletion, changes, isComplete };
};

/** Stored documents with their numbers, parsed as they are asked for. */
export function* parsed(
  documents: Iterable<StoredDocument>,
): Generator<readonly [number: number, document: JsonObject]> {
  for (const { dn, src } of documents) yield [dn, parseStored(src)];
}
