import type { JsonObject, JsonValue } from '../../json/json.ts';

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
  /** The document with numbers that a double rounds as numbers, for type inference; undefined if it has none. */
  readonly rounded?: JsonObject;
}

/** One source of records, as configured: a study-based (SONG) or a record-based (Lyric) repository. */
export type RepositoryConfig = StudyRepositoryConfig | RecordRepositoryConfig;

interface CommonRepositoryConfig {
  /** Its name in routes; unique whatever its case. */
  readonly code: string;
  /** For people; the code when there is none. */
  readonly displayName: string;
  /** An http or https URL; its own path is kept in front of every request. */
  readonly baseUrl: string;
  /** The index or alias its records are written to; several repositories may share one. */
  readonly indexName: string;
  /** Rows of one request. */
  readonly pageSize: number;
  /** Milliseconds one request may take. */
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
  /** States of analyses that are indexed. */
  readonly indexableStates: readonly string[];
}

export interface RecordRepositoryConfig extends CommonRepositoryConfig {
  readonly kind: 'record';
  readonly categoryId: string;
  /** Leaves out records that the repository calls invalid. */
  readonly validOnly: boolean;
}

/**
 * Paths are dotted, and lead into each object of a list; a step on a path that a document lacks changes nothing, except
 * that a constant makes its way. What is there already is never overwritten: the document fails instead.
 */
export type MapStep =
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'drop'; readonly path: string }
  | { readonly kind: 'constant'; readonly path: string; readonly value: JsonValue }
  /** The object's members take its place, such as those of the envelope `data`. */
  | { readonly kind: 'flatten'; readonly path: string };
