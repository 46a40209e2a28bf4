import type { IndexField } from '../introspection/fields/field.ts';
import { TributaryError } from '../lib/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../lib/json/json.ts';
import { all, type Filter } from '../sqon/filter.ts';
import type { HeldMemory } from '../lib/runtime/memory-account.ts';
import type { Allowance } from './allowance.ts';
import type { FacetResult, Measure, MeasureKind } from './measure.ts';

/**
 * The port: what this project requires of a search engine. No types of an engine's own client cross it. Errors are
 * TributaryError: index_not_found, permission_denied, connection_error, mapping_fetch_error, BAD_USER_INPUT (a query
 * that does not fit the data), ENGINE_UNAVAILABLE, ENGINE_TIMEOUT, ENGINE_ERROR.
 */
export interface Engine {
  /** Describes an index or alias and its mapping. */
  describe(index: string): Promise<IndexDescription>;
  search(index: string, query: SearchQuery, options?: SearchOptions): Promise<SearchResult>;
  /** Applies the operations in order; resolves once they are durable. One outcome per operation. */
  write(
    index: string,
    operations: readonly WriteOperation[],
    options?: SendOnce,
  ): Promise<readonly WriteOutcome[]>;
  manage(action: IndexAction): Promise<void>;
  close(): Promise<void>;
}

/** For callers that retry by themselves: the engine must not retry too. */
export interface SendOnce {
  readonly once?: boolean | undefined;
}

export interface SearchOptions extends SendOnce {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Searches of one group started in the same iteration of the event loop may be sent together. */
  readonly group?: object;
  /** Consulted before a search runs; if unset, the search runs at once, whatever its cost. */
  readonly allowance?: Allowance | undefined;
  /** Counts the memory of the result, before it is read if the engine can. */
  readonly memory?: Pick<HeldMemory, 'add'> | undefined;
  /** The estimated maximum, in microseconds of CPU time; if unset, the search goes ahead of all that have one. */
  readonly cost?: number;
  /** Whether the result names the indexes that answered. */
  readonly identify?: boolean;
}

/** How many searches an engine can run at once. */
export interface Capacity {
  /** Searches that are expected to cost less than `longCost`, in microseconds of CPU time. */
  readonly short: number;
  /** All others, so that threads are left for the short ones. */
  readonly long: number;
  readonly longCost: number;
}

/** The error for a search that no caller waits for any more. */
export const cancelled = (reason: unknown): TributaryError =>
  new TributaryError('ENGINE_TIMEOUT', 'the request was cancelled', { cause: reason });

export interface IndexDescription {
  /** The indexes the name resolves to: itself, or the indexes of the alias. */
  readonly indices: readonly string[];
  /** Other names of these indexes. */
  readonly aliases: readonly string[];
  /** The mapping's `properties`, merged over the indexes. */
  readonly properties: JsonObject;
  /** Further parts of the index that cannot be served, and why; safe to show to clients. */
  readonly warnings?: readonly string[];
  /** The mapping's `dynamic` as it is set; absent when it is not set or the engine does not know. */
  readonly dynamic?: string | boolean;
  /** The mapping's rules for unmapped fields, such as `dynamic_templates`; absent when there are none. */
  readonly dynamicRules?: JsonObject;
  /** The settings needed, besides the mapping, to create an index like this one; absent when there are none. */
  readonly settings?: JsonObject;
  /** Live documents. */
  readonly documents: number;
  /** The figures for estimating search costs; absent if only the number of documents is known. */
  readonly statistics?: IndexStatistics;
}

/** Figures of an index for estimating search costs; absent ones are unknown. */
export interface IndexStatistics {
  readonly documents: number;
  /** The average size of a stored document. */
  readonly documentBytes?: number;
  /** Nested objects by their path. */
  readonly objects?: ReadonlyMap<string, number>;
  /** By dotted path. */
  readonly fields?: ReadonlyMap<string, FieldStatistics>;
}

export interface FieldStatistics {
  /** The number of values to scan, including missing ones. */
  readonly values: number;
  /** Distinct strings, and their total bytes. */
  readonly strings?: number;
  readonly stringBytes?: number;
  /** How many of them have characters beyond ASCII, which are folded one by one; perhaps from a sample. */
  readonly stringsBeyondAscii?: number;
  /** The difference between the largest and the smallest number. */
  readonly span?: number;
}

// ---- search

/** One page of hits and any number of facets, each with its own filters. */
export interface SearchQuery {
  readonly hits?: HitsQuery;
  readonly facets: readonly FacetQuery[];
}

export interface HitsQuery {
  readonly filter: Filter;
  /** The number of hits; 0 for the total only. */
  readonly size: number;
  readonly offset: number;
  /** The engine appends its tie-break, so the order is always total. */
  readonly sort: readonly SortKey[];
  /** The `cursor` of the hit to continue after, or null. It may be shorter than the ones the engine returns. */
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
  /**
   * How several values are reduced to one; the GraphQL default (min for asc, max for desc) is filled in by the caller.
   */
  readonly mode: SortMode;
}

/**
 * A sort value in printed form: keywords as strings, numbers as numbers (longs past 2^53 as digits), dates as epoch ms;
 * missing is null for keywords, "±9223372036854775807/8" for longs and dates, "±Infinity" for doubles.
 */
export type CursorValue = string | number | boolean | null;

export interface FacetQuery<Kind extends MeasureKind = MeasureKind> {
  readonly field: IndexField;
  /** The documents the facet covers. */
  readonly filter: Filter;
  /**
   * The nested objects of these documents that the facet covers: for each restricted nested path of the field, the
   * filter that an object there (the counted object or its ancestor) must satisfy.
   */
  readonly objects: Readonly<Record<string, Filter>>;
  readonly measure: Measure<Kind>;
}

/** What a facet requires of the objects at a nested path, which may have the name of an inherited property. */
export const objectFilter = ({ objects }: Pick<FacetQuery, 'objects'>, path: string): Filter =>
  Object.hasOwn(objects, path) ? objects[path]! : all;

export interface SearchResult {
  readonly hits?: HitsResult;
  /** One result per requested facet, in the same order. */
  readonly facets: readonly FacetResult[];
  /** The time the engine took, in milliseconds. */
  readonly tookMs: number;
  /** What the result lacks and why, such as a failed shard; safe to show to clients. Empty when it is complete. */
  readonly warnings: readonly string[];
  /** Identifies the data searched: equal values, equal data. Absent where the engine cannot tell. */
  readonly generation?: string;
  /**
   * When documents of the index were last written or deleted, in milliseconds since 1970. Absent where the engine cannot
   * tell: search servers have no such time.
   */
  readonly lastWriteMs?: number;
  /** The indexes that the name resolved to for this answer, perhaps without empty ones; with `identify`. */
  readonly indices?: readonly string[];
}

export interface HitsResult {
  /** The number of matches, or null when not tracked. */
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
  /** `mapping` is an index body's `mappings` ({dynamic, properties}); CONFLICT if the index exists. */
  | {
      readonly kind: 'create';
      readonly index: string;
      readonly mapping: JsonObject;
      /** The `settings` of an index body that its mapping needs, such as `analysis`: the embedded engine uses only that one. */
      readonly settings?: JsonObject;
    }
  /** Adds properties; CONFLICT if a type would change. */
  | { readonly kind: 'extend'; readonly index: string; readonly properties: JsonObject }
  /** Deleting a missing index succeeds. */
  | { readonly kind: 'delete'; readonly index: string }
  /** Atomically points the alias at exactly these indexes. */
  | {
      readonly kind: 'alias';
      readonly alias: string;
      readonly indices: readonly string[];
      /** Deletes an index with the alias's name in the same step, so that the name always resolves. */
      readonly replacesIndex?: boolean;
    };

/** Settings assigned by the server, and settings specific to the cluster the index was in. */
const ofOneIndex: ReadonlySet<string> = new Set([
  'uuid',
  'history_uuid',
  'creation_date',
  'creation_date_string',
  'provided_name',
  'version',
  'resize',
  'routing',
  'blocks',
  'lifecycle',
  'verified_before_close',
]);

/**
 * The settings of an index body that another index can be created with: `analysis`, limits, shards and the like,
 * without the prefix `index`. Accepts the response to a settings request as is.
 * @returns an empty object when there are none
 */
export const indexSettings = (settings: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]): [string, JsonObject[string]][] => {
      if (key === 'index' && isJsonObject(value)) return Object.entries(indexSettings(value));
      const name = key.replace(/^index\./, '');
      return ofOneIndex.has(name.split('.')[0]!) ? [] : [[name, value]];
    }),
  );
