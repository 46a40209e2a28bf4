import type { JsonObject, JsonValue } from '../../lib/json/json.ts';

/** A source of records. Every call ends with the signal's reason when it is aborted. */
export interface Repository {
  readonly config: RepositoryConfig;
  /**
   * All records of one organization, or of all organizations, a page at a time; only ends when the fetch is complete.
   * A record may be returned twice: a listing that changes while it is read is read again.
   * @throws TributaryError UPSTREAM_FAILED with the repository's failure: the records so far must not be treated as complete
   */
  fetchAll(organization: string | null, signal: AbortSignal): AsyncIterable<RecordPage>;
  /**
   * One record; null if the repository does not have it in that organization.
   * @throws TributaryError UPSTREAM_FAILED
   */
  fetchOne(organization: string, recordId: string, signal: AbortSignal): Promise<RecordPage | null>;
  /** @throws TributaryError UPSTREAM_FAILED if the repository does not answer */
  probe(signal: AbortSignal): Promise<void>;
}

export interface RecordPage {
  readonly records: readonly RepositoryRecord[];
  /** Records that must not be indexed: unpublished, invalid, excluded. */
  readonly skipped: readonly { readonly recordId: string; readonly reason: string }[];
  /** Records that cannot be indexed as they are: no id, a document that a map step cannot shape. */
  readonly failed: readonly { readonly recordId: string; readonly reason: string }[];
  /** The repository's count of the records of the whole fetch; null if it does not report one. */
  readonly total: number | null;
}

/** One document to write. */
export interface RepositoryRecord {
  /** The document's key in the index. */
  readonly documentId: string;
  /** The record's name in routes; an analysis may be several documents. */
  readonly recordId: string;
  readonly organization: string;
  readonly document: JsonObject;
  /** The document with numbers that a double rounds as numbers, for type inference; undefined if it has none. */
  readonly rounded?: JsonObject;
}

/** One source of records, as configured: a study-based (SONG) or a record-based (Lyric) repository. */
export type RepositoryConfig = StudyRepositoryConfig | RecordRepositoryConfig;

interface CommonRepositoryConfig {
  /** Its name in routes; unique, ignoring case. */
  readonly code: string;
  /** The name for display; default: the code. */
  readonly displayName: string;
  /** An http or https URL; its own path is kept in front of every request. */
  readonly baseUrl: string;
  /** The index or alias for its records; several repositories may share one. */
  readonly indexName: string;
  /** The number of rows in one request. */
  readonly pageSize: number;
  /** The maximum time of one request, in milliseconds. */
  readonly timeoutMs: number;
  /** A header sent with every request; its value never appears in a log or an answer. */
  readonly credential?: { readonly header: string; readonly value: string };
  /** Document ids that are never indexed. */
  readonly exclude: readonly string[];
  /** Steps that shape each document before it is written, in this order. */
  readonly map: readonly MapStep[];
}

export interface StudyRepositoryConfig extends CommonRepositoryConfig {
  readonly kind: 'study';
  /** One document for each analysis (`_id` = analysisId), or for each file (`_id` = objectId) with its analysis inside. */
  readonly documents: 'analysis' | 'file';
  /** The states of analyses that are indexed. */
  readonly indexableStates: readonly string[];
}

export interface RecordRepositoryConfig extends CommonRepositoryConfig {
  readonly kind: 'record';
  readonly categoryId: string;
  /** Leaves out records that the repository reports as invalid. */
  readonly validOnly: boolean;
}

/**
 * Paths are dotted, and lead into each object of a list; a step on a path that a document lacks changes nothing, except
 * that a constant creates its objects. Existing values are never overwritten: the document fails instead.
 */
export type MapStep =
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'drop'; readonly path: string }
  | { readonly kind: 'constant'; readonly path: string; readonly value: JsonValue }
  /** Replaces the object with its members, e.g. those of the envelope `data`. */
  | { readonly kind: 'flatten'; readonly path: string };
