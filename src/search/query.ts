import type { Allowance } from '../engines/allowance.ts';
import type { CursorValue, SortMode } from '../engines/engine.ts';
import type { CountBounds, MeasureKind, Measures, TopHitsAsked } from '../engines/measure.ts';
import type { Tier } from '../introspection/fields/disclosure-config.ts';
import type { JsonObject } from '../json/json.ts';
import type { Sqon } from '../sqon/ast.ts';
import type { FacetAnswer } from './facet-answer.ts';
import type { NodesAnswer, NodesAsked, WithheldStatement } from './nodes-answer.ts';

/**
 * The query to one catalogue and its answer: exactly what can be expressed on the wire. A local catalogue turns the
 * query into the engine's SearchQuery, a remote node's client prints it as GraphQL; the federation knows only this
 * type. All field names are the queried catalogue's own dotted paths.
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
  /** Fields whose coverage is shown: nodes that are networks are asked for it, whatever else is asked. Unset: none. */
  readonly coverageOf?: readonly string[];
  /**
   * The fields of the nodes' statuses that are shown: of a node that is a network, they are asked for with those that
   * are always needed. Unset: all.
   */
  readonly statusesShown?: readonly string[];
  /** null when no hits are wanted; `first: 0` gives the total only. */
  readonly hits: HitsRequest | null;
  /** Whether the answer must state its origin; unset: it may. */
  readonly identify?: true;
  /** For a network; unset: all nodes are queried, and those that its configuration requires must answer. */
  readonly nodes?: NodesAsked;
}

export interface HitsRequest {
  readonly first: number;
  readonly offset: number;
  readonly sort: readonly SortRequest[];
  readonly searchAfter: readonly CursorValue[] | null;
  readonly trackTotal: boolean;
  /** Whether the client also asks how far the total can be trusted. */
  readonly bounded?: true;
  /** Dotted paths whose values are requested, null for the whole document. */
  readonly fields: readonly string[] | null;
  /** The values that are shown of nested objects, for who cannot give `fields` whole; unset: all. */
  readonly shown?: readonly string[];
}

export interface SortRequest {
  readonly fieldName: string;
  readonly order: 'asc' | 'desc';
  readonly mode?: SortMode;
  readonly missing?: 'first' | 'last';
}

export interface FacetRequest {
  readonly field: string;
  /** Whether the client also asks how far the counts can be trusted. */
  readonly bounded?: true;
  /** What it does not show of any bucket, so that nodes need not send it; unset: it may show all. */
  readonly unshown?: readonly UnshownPart[];
  /** Whether the client also asks for each node's part in a bucket. */
  readonly parted?: true;
  readonly measure: FacetMeasure;
}

/** Parts of a bucket, by their fields, that are only shown. */
export type UnshownPart = 'key_as_string' | 'estimate';

/** What neither of two requests shows. */
export const unshownByBoth = (
  one: FacetRequest['unshown'] = [],
  other: FacetRequest['unshown'] = [],
): readonly UnshownPart[] => one.filter((part) => other.includes(part));

export type FacetMeasure<Kind extends MeasureKind = MeasureKind> = {
  readonly [K in Kind]: { readonly kind: K } & AskedOverWire[K];
}[Kind];

type AskedAsOfEngines = {
  readonly [Kind in Exclude<MeasureKind, 'terms' | 'histogram' | 'distinct_sample'>]: Measures[Kind]['asked'];
};

/** A measure's arguments besides its name: the engines', unless the wire format differs. */
interface AskedOverWire extends AskedAsOfEngines {
  readonly terms: TermsRequest;
  readonly histogram: { readonly interval: number };
  readonly distinct_sample: Measures['distinct_sample']['asked'] & {
    /** In a network, only of nodes that give one: the others are not reported as lacking the field. */
    readonly optional?: true;
  };
}

export interface TermsRequest {
  /** Maximum number of buckets, not counting `__missing__`; null for all. */
  readonly max: number | null;
  /** Only values whose key contains this text, case and accents ignored; documents without a value are left out. */
  readonly matching?: string;
  /** false: the number of distinct values is not used, which saves some engines a lot of work. */
  readonly distinct?: false;
  /** false: no bucket is shown, only how many there are. */
  readonly listed?: false;
  /** In a network, only of nodes that give no sample of the values. */
  readonly unsampled?: true;
  readonly topHits?: TopHitsAsked;
  readonly filters?: readonly Sqon[];
}

export interface CatalogueResult {
  /** All matches; null when hits were not requested or the total not tracked. */
  readonly total: number | null;
  /** How far the total can be trusted; unset: it is exact. */
  readonly totalBounds?: CountBounds;
  /** The records are withheld from this caller: counts are intervals, and there are no hits. */
  readonly withheld?: WithheldStatement;
  readonly hits: readonly CatalogueHit[];
  /** One for each requested facet, in order. `missing` of a terms answer is 0 when it was not to be included. */
  readonly facets: readonly FacetAnswer[];
  /** Notices for the caller, safe to show: unknown fields, clamped pages. */
  readonly warnings: readonly string[];
  /** What became of the nodes of a network; unset: the catalogue is none. */
  readonly nodes?: NodesAnswer;
  /** The origin of the answer, if known. */
  readonly origin?: AnswerOrigin;
}

/** The program, schema and data version that an answer comes from; null means unknown. */
export interface AnswerOrigin {
  readonly version: string | null;
  /** A fingerprint of the catalogue's fields. */
  readonly schema: string | null;
  /** Names the data: equal names, equal data. */
  readonly generation: string | null;
}

export interface CatalogueHit {
  readonly id: string;
  /** The node of a network that it is from; unset: the catalogue is none. */
  readonly nodeId?: string;
  /** Unique over the nodes of a network. */
  readonly key?: string;
  /** The document, nested as stored, with at least the requested fields. */
  readonly source: JsonObject;
  /** Possibly made when it is read: spreading a hit loses it. */
  readonly cursor: readonly CursorValue[];
}

/** The caller: passed down from the edge through all layers. */
export interface Caller {
  readonly requestId: string;
  /** Aborted when the client disconnects, and with one of our errors when its time is up. */
  readonly signal?: AbortSignal;
  /** The caller's own request headers, lower case; only those on an allow-list ever leave this process. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The server-side filter of a catalogue for this caller: null is unrestricted.
   * @throws TributaryError UNAUTHENTICATED or FORBIDDEN
   */
  readonly accessFilter: (catalogueId: string) => Sqon | null | Promise<Sqon | null>;
  /**
   * Whether this caller may query the network; unset: everyone may.
   * @throws TributaryError UNAUTHENTICATED or FORBIDDEN
   */
  readonly networkAccess?: (() => void | Promise<void>) | undefined;
  /** What the caller may learn of a catalogue; unset, or null: what the catalogue's own configuration says. */
  readonly tierOf?: ((catalogueId: string) => Tier | null | Promise<Tier | null>) | undefined;
  /** The cost limit for everything this request asks for; unset: unlimited. */
  readonly allowance?: Allowance | undefined;
  /** Called with the data that each catalogue search was answered from, if anyone needs it. */
  readonly searched?: ((generation: string | null) => void) | undefined;
  /**
   * Called with each part that the answer of a network is made of, if anyone needs it: what was asked of whom, and a
   * name for what was answered, equal only for equal answers; null: it may be another the next time.
   */
  readonly composedOf?: ((asked: string, name: string | null) => void) | undefined;
  /** The keys of the networks that the query came through, outermost first; unset: it comes from a client. */
  readonly through?: readonly string[];
  /** When the answer is due, on the clock of performance.now(); unset: there is no such time. */
  readonly dueAtMs?: number;
  /** For a request that is answered several times, as its nodes answer. */
  readonly growing?: GrowingAnswers;
  /** The caller retries itself: nothing below may do so too. */
  readonly once?: boolean;
  /** Collects `extensions.network` of the response, if anyone needs it. */
  readonly answeredBy?: (nodes: NodesAnswer) => void;
  /** Collects `extensions.warnings` of the response. */
  readonly warn: (message: string) => void;
}

/** The queries of a request that is answered several times: each is sent once, and read as far as it is answered. */
export interface GrowingAnswers {
  /** What was started under a key; `start` runs once, and `ended` resolves when nothing more will change. */
  readonly ask: <Answer>(key: string, start: (changed: () => void) => AskedOnce<Answer>) => Answer;
}

export interface AskedOnce<Answer> {
  readonly now: () => Answer;
  readonly ended: Promise<void>;
}
