import type { IndexField } from '../introspection/fields/field.ts';
import type { JsonObject } from '../json.ts';
import type { Filter } from '../sqon/filter.ts';
import type { Allowance } from './allowance.ts';
import type { FacetResult, Measure, MeasureKind } from './measure.ts';

/**
 * The port: what this project asks of a search engine. Nothing of an engine's own client crosses it.
 * Errors are TributaryError: index_not_found, permission_denied, connection_error, mapping_fetch_error,
 * BAD_USER_INPUT (a query the data refuse), ENGINE_UNAVAILABLE, ENGINE_TIMEOUT, ENGINE_ERROR.
 */
export interface Engine {
  /** The index or alias: what it is made of and how it is mapped. */
  describe(index: string): Promise<IndexDescription>;
  search(index: string, query: SearchQuery, options?: SearchOptions): Promise<SearchResult>;
  /** Applies the operations in order; resolves once they are durable. One outcome for each operation. */
  write(index: string, operations: readonly WriteOperation[]): Promise<readonly WriteOutcome[]>;
  manage(action: IndexAction): Promise<void>;
  close(): Promise<void>;
}

export interface SearchOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Searches of one group that are asked in the same turn of the event loop may travel together. */
  readonly group?: object;
  /** Is asked before a search runs; unset: it runs whatever it costs. */
  readonly allowance?: Allowance | undefined;
  /** Unset: it goes before all that has one. */
  readonly priority?: Priority;
}

/** Where a search stands among those of other callers. */
export interface Priority {
  /** Callers take turns. */
  readonly caller: string;
  /** In microseconds of a processor, about and at most. */
  readonly cost: number;
}

export interface IndexDescription {
  /** The indexes behind the name: itself, or those behind the alias. */
  readonly indices: readonly string[];
  /** Other names of these indexes. */
  readonly aliases: readonly string[];
  /** The mapping's `properties`, merged over the indexes. */
  readonly properties: JsonObject;
  /** What the index has besides these properties that cannot be served, and why, in words safe to show. */
  readonly warnings?: readonly string[];
  /** The mapping's `dynamic` as it is set; absent when it is not set or the engine does not know. */
  readonly dynamic?: string | boolean;
  /** The mapping's rules for fields it does not know yet, as `dynamic_templates`; absent when there are none. */
  readonly dynamicRules?: JsonObject;
  /** What an index like this one is to be made with besides its mapping; absent when there is nothing of it. */
  readonly settings?: JsonObject;
  /** Live documents. */
  readonly documents: number;
  /** What searches cost depends on; absent where only the number of documents is known. */
  readonly statistics?: IndexStatistics;
}

/** Figures of an index that tell what searching it takes; what is absent is not known. */
export interface IndexStatistics {
  readonly documents: number;
  /** Of a document as stored, on average. */
  readonly documentBytes?: number;
  /** Nested objects by their path. */
  readonly objects?: ReadonlyMap<string, number>;
  /** By dotted path. */
  readonly fields?: ReadonlyMap<string, FieldStatistics>;
}

export interface FieldStatistics {
  /** Values to look through, those missing included. */
  readonly values: number;
  /** Distinct strings, and their bytes together. */
  readonly strings?: number;
  readonly stringBytes?: number;
  /** How far apart the smallest and the largest number are. */
  readonly span?: number;
}

// ---- search

/** One page of hits and any number of facets, each with filters of its own. */
export interface SearchQuery {
  readonly hits?: HitsQuery;
  readonly facets: readonly FacetQuery[];
}

export interface HitsQuery {
  readonly filter: Filter;
  /** How many; 0 gives the total only. */
  readonly size: number;
  readonly offset: number;
  /** The engine appends its tie-break, so the order is always total. */
  readonly sort: readonly SortKey[];
  /** The `cursor` of the hit to go on after, or null. A shorter one than the engine gives is accepted. */
  readonly searchAfter: readonly CursorValue[] | null;
  /** Dotted paths of the document to return, [] for none, null for the whole document. */
  readonly source: readonly string[] | null;
  readonly trackTotal: boolean;
}

export type SortMode = 'min' | 'max' | 'avg' | 'sum' | 'median';

export interface SortKey {
  readonly field: IndexField;
  readonly order: 'asc' | 'desc';
  readonly missing: 'first' | 'last';
  /** How several values become one; the GraphQL default (min for asc, max for desc) is filled in by the caller. */
  readonly mode: SortMode;
}

/**
 * A sort value as it is printed: keywords as strings, numbers as numbers (longs past 2^53 as their digits), dates as
 * epoch ms; missing is null for keywords, "±9223372036854775807/8" for longs and dates, "±Infinity" for doubles.
 */
export type CursorValue = string | number | boolean | null;

export interface FacetQuery<Kind extends MeasureKind = MeasureKind> {
  readonly field: IndexField;
  /** Which documents are looked at. */
  readonly filter: Filter;
  /**
   * Which nested objects of these documents are looked at: for each nested path of the field that is restricted, what
   * an object there (as the counted object or its ancestor) must satisfy.
   */
  readonly objects: Readonly<Record<string, Filter>>;
  readonly measure: Measure<Kind>;
}

export interface SearchResult {
  readonly hits?: HitsResult;
  /** One answer for each facet asked, in that order. */
  readonly facets: readonly FacetResult[];
  /** Milliseconds the engine worked. */
  readonly tookMs: number;
  /** What the answer lacks and why, in words safe to show: a failed shard. Empty when it is whole. */
  readonly warnings: readonly string[];
  /** Names the data that were searched: equal names, equal data. Absent where the engine cannot tell. */
  readonly generation?: string;
}

export interface HitsResult {
  /** All matches, or null when not tracked. */
  readonly total: number | null;
  readonly hits: readonly Hit[];
}

export interface Hit {
  readonly id: string;
  readonly source: JsonObject;
  /** The sort values and the tie-break. */
  readonly cursor: readonly CursorValue[];
}

// ---- writing

export type WriteOperation =
  | { readonly kind: 'upsert'; readonly id: string; readonly document: JsonObject }
  | { readonly kind: 'delete'; readonly id: string };

export type WriteOutcome =
  | { readonly status: 'created' | 'updated' | 'deleted' | 'notFound' }
  | { readonly status: 'refused'; readonly reason: string; readonly retryable: boolean };

export type IndexAction =
  /** `mapping` is an index body's `mappings` ({dynamic, properties}); an existing index is an error CONFLICT. */
  | {
      readonly kind: 'create';
      readonly index: string;
      readonly mapping: JsonObject;
      /** An index body's `settings` that its mapping needs, as `analysis`; only search servers know them. */
      readonly settings?: JsonObject;
    }
  /** Adds properties; a changed type is an error CONFLICT. */
  | { readonly kind: 'extend'; readonly index: string; readonly properties: JsonObject }
  /** Deleting what is not there succeeds. */
  | { readonly kind: 'delete'; readonly index: string }
  /** The alias names exactly these indexes from now on, atomically. */
  | {
      readonly kind: 'alias';
      readonly alias: string;
      readonly indices: readonly string[];
      /** An index of the alias's own name is deleted in the same step, so that the name always answers. */
      readonly replacesIndex?: boolean;
    };
