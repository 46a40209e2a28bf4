import type { JsonObject } from '../../json/json.ts';
import type { RepositoryConfig } from './repository-config.ts';

/** Where records come from. Every call ends with the signal's reason when it is aborted. */
export interface Repository {
  readonly config: RepositoryConfig;
  /**
   * All records of one organization, or of every organization, a page at a time; ends only when the fetch is complete.
   * A record may come twice: a listing that changes while it is read is read again.
   * @throws TributaryError UPSTREAM_FAILED what the repository did instead: nothing fetched so far may then count as whole
   */
  fetchAll(organization: string | null, signal: AbortSignal): AsyncIterable<RecordPage>;
  /**
   * One record; null when the repository does not have it under that organization.
   * @throws TributaryError UPSTREAM_FAILED
   */
  fetchOne(organization: string, recordId: string, signal: AbortSignal): Promise<RecordPage | null>;
  /** @throws TributaryError UPSTREAM_FAILED the repository does not answer */
  probe(signal: AbortSignal): Promise<void>;
}

export interface RecordPage {
  readonly records: readonly RepositoryRecord[];
  /** What the repository has but must not be indexed: unpublished, invalid, excluded. */
  readonly skipped: readonly { readonly recordId: string; readonly reason: string }[];
  /** Records that cannot be indexed as they are: no id, a document that a map step cannot shape. */
  readonly failed: readonly { readonly recordId: string; readonly reason: string }[];
  /** Records of the whole fetch as the repository counts them; null when it does not say. */
  readonly total: number | null;
}

/** One document to write. */
export interface RepositoryRecord {
  /** The document's key in the index. */
  readonly documentId: string;
  /** The record's name in routes: an analysis may be several documents. */
  readonly recordId: string;
  readonly organization: string;
  readonly document: JsonObject;
}
