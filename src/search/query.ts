import type { Allowance } from '../engines/allowance.ts';
import type { CursorValue, SortMode } from '../engines/engine.ts';
import type { FacetResult, MeasureKind, Measures, TopHitsAsked } from '../engines/measure.ts';
import type { JsonObject } from '../json.ts';
import type { Sqon } from '../sqon/ast.ts';

/**
 * What one catalogue can be asked and what it answers: exactly what the wire can say. A local catalogue turns the
 * question into the engine's SearchQuery, a remote node's client prints it as GraphQL; the federation only knows this
 * type. All field names are the answering catalogue's own dotted paths.
 */
export type SearchFn = (query: CatalogueQuery, caller: Caller) => Promise<CatalogueResult>;

export interface CatalogueQuery {
  /** null matches everything. */
  readonly filters: Sqon | null;
  /** aggregations_filter_themselves: whether a facet's own selection constrains its buckets. Default false. */
  readonly filterThemselves: boolean;
  /** include_missing: whether terms facets also count documents without a value. Default true. */
  readonly includeMissing: boolean;
  readonly facets: readonly FacetRequest[];
  /** null when no hits are wanted; `first: 0` gives the total only. */
  readonly hits: HitsRequest | null;
  /** Whether the answer is to say what it was answered from; unset: it may. */
  readonly identify?: true;
}

export interface HitsRequest {
  readonly first: number;
  readonly offset: number;
  readonly sort: readonly SortRequest[];
  readonly searchAfter: readonly CursorValue[] | null;
  readonly trackTotal: boolean;
  /** Dotted paths whose values are wanted, null for the whole document. */
  readonly fields: readonly string[] | null;
}

export interface SortRequest {
  readonly fieldName: string;
  readonly order: 'asc' | 'desc';
  readonly mode?: SortMode;
  readonly missing?: 'first' | 'last';
}

export interface FacetRequest {
  readonly field: string;
  readonly measure: FacetMeasure;
}

export type FacetMeasure<Kind extends MeasureKind = MeasureKind> = {
  readonly [K in Kind]: { readonly kind: K } & AskedOverWire[K];
}[Kind];

type AskedAsOfEngines = {
  readonly [Kind in Exclude<MeasureKind, 'terms' | 'histogram'>]: Measures[Kind]['asked'];
};

/** What a measure is asked besides its name: as engines are, except where the wire says it otherwise. */
interface AskedOverWire extends AskedAsOfEngines {
  readonly terms: TermsRequest;
  readonly histogram: { readonly interval: number };
}

export interface TermsRequest {
  /** At most so many buckets, `__missing__` aside; null for all. */
  readonly max: number | null;
  /** Only values whose key contains this text, case and accents ignored; documents without a value are left out. */
  readonly matching?: string;
  /** false: how many values there are is not used, which saves some engines much. */
  readonly distinct?: false;
  readonly topHits?: TopHitsAsked;
  readonly filters?: readonly Sqon[];
}

export interface CatalogueResult {
  /** All matches; null when hits were not asked or the total not tracked. */
  readonly total: number | null;
  readonly hits: readonly CatalogueHit[];
  /** One for each facet asked, in that order. `missing` of a terms result is 0 when it was not to be included. */
  readonly facets: readonly FacetResult[];
  /** What the caller should know, in words safe to show: unknown fields, clamped pages. */
  readonly warnings: readonly string[];
  /** What the answer comes from, where that is known. */
  readonly origin?: AnswerOrigin;
}

/** The program, the form and the state of the data that an answer comes from; null is not known. */
export interface AnswerOrigin {
  readonly version: string | null;
  /** A fingerprint of the catalogue's fields. */
  readonly schema: string | null;
  /** Names the data: equal names, equal data. */
  readonly generation: string | null;
}

export interface CatalogueHit {
  readonly id: string;
  /** The document, nested as stored, at least the fields asked. */
  readonly source: JsonObject;
  readonly cursor: readonly CursorValue[];
}

/** Who asks: handed down from the edge through every room. */
export interface Caller {
  readonly requestId: string;
  /** Aborted when the client goes away, and with an error of ours when its time is over. */
  readonly signal?: AbortSignal;
  /** The caller's own request headers, lower case; only an allow-list of them ever leaves this process. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The server-side filter of a catalogue for this caller: null is unrestricted.
   * @throws TributaryError UNAUTHENTICATED or FORBIDDEN
   */
  readonly accessFilter: (catalogueId: string) => Sqon | null | Promise<Sqon | null>;
  /** What all that is asked for this request may cost; unset: whatever it does. */
  readonly allowance?: Allowance | undefined;
  /** Told which data each search of a catalogue was answered from, where someone wants to know. */
  readonly searched?: (generation: string | null) => void;
  /** Collects `extensions.warnings` of the response. */
  readonly warn: (message: string) => void;
}
