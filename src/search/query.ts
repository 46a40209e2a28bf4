import type { WithheldStatement } from '../introspection/fields/catalogue-config.ts';
import type { CursorValue, SortMode } from '../engines/engine.ts';
import type { MeasureKind, Measures, TopHitsRequest } from '../engines/measure.ts';
import { TributaryError } from '../lib/errors/errors.ts';
import type { JsonObject } from '../lib/json/json.ts';
import type { Sqon } from '../sqon/ast.ts';
import type { Count } from './count.ts';
import type { FacetAnswer, FailedFacet, NodesAnswer, NodeSelection, Reach } from './nodes-answer.ts';
import type { RequestContext } from './request-context.ts';

/**
 * The query to one catalogue and its answer: exactly what can be expressed on the wire. A local catalogue turns the
 * query into the engine's SearchQuery, a remote node's client prints it as GraphQL; the federation knows only this
 * type. All field names are the queried catalogue's own dotted paths.
 */
export type SearchFn<Query = CatalogueQuery> = (
  query: Query,
  context: RequestContext,
) => Promise<CatalogueResult>;

export interface CatalogueQuery {
  /** null matches everything. */
  readonly filters: Sqon | null;
  /** aggregations_filter_themselves: whether a facet's own selection constrains its buckets. Default false. */
  readonly filterThemselves: boolean;
  /** include_missing: whether terms facets also count documents without a value. Default true. */
  readonly includeMissing: boolean;
  readonly facets: readonly FacetRequest[];
  /** null when no hits are requested; `first: 0` returns the total only. */
  readonly hits: HitsRequest | null;
}

/** The query to a network. */
export interface NetworkQuery extends CatalogueQuery {
  /** Unset: all nodes are queried, and those that its configuration requires must answer. */
  readonly nodes?: NodeSelection;
}

export interface HitsRequest {
  readonly first: number;
  readonly offset: number;
  readonly sort: readonly SortRequest[];
  readonly searchAfter: readonly CursorValue[] | null;
  readonly trackTotal: boolean;
  /** Whether the client also selects how far the total can be trusted. */
  readonly bounded?: true;
  /** Dotted paths whose values are requested, null for the whole document. */
  readonly fields: readonly string[] | null;
  /** The values that are shown of nested objects, for nodes that cannot return `fields` whole; unset: all. */
  readonly shown?: readonly string[];
}

/** Matches all records and requests nothing: the base of other queries. */
export const plainQuery = {
  filters: null,
  filterThemselves: false,
  includeMissing: false,
  facets: [],
  hits: null,
} as const satisfies CatalogueQuery;

/** The number of matches alone. */
export const countOnly = {
  first: 0,
  offset: 0,
  sort: [],
  searchAfter: null,
  trackTotal: true,
  fields: [],
} as const satisfies HitsRequest;

export interface SortRequest {
  readonly fieldName: string;
  readonly order: 'asc' | 'desc';
  readonly mode?: SortMode;
  readonly missing?: 'first' | 'last';
}

/** A key with the defaults that its request omits: missing values sort first when ascending, as clients expect. */
export const sortDefaults = ({
  order,
  mode = order === 'asc' ? 'min' : 'max',
  missing = order === 'asc' ? 'first' : 'last',
}: SortRequest): Required<Omit<SortRequest, 'fieldName'>> => ({ order, mode, missing });

export interface FacetRequest {
  readonly field: string;
  /** Whether the client also selects how far the counts can be trusted. */
  readonly bounded?: true;
  /** The parts of buckets that the client does not show, so that nodes need not send them; unset: it may show all. */
  readonly unshown?: readonly UnshownPart[];
  /** Whether the client also selects each node's part in a bucket. */
  readonly parted?: true;
  readonly measure: FacetMeasure;
}

/** Parts of a bucket that are only shown, by their fields. */
export type UnshownPart = 'key_as_string' | 'estimate';

/** The parts that neither of two requests shows. */
export const unshownByBoth = (
  a: FacetRequest['unshown'] = [],
  b: FacetRequest['unshown'] = [],
): readonly UnshownPart[] => a.filter((part) => b.includes(part));

export type FacetMeasure<Kind extends MeasureKind = MeasureKind> = {
  readonly [K in Kind]: { readonly kind: K } & WireArguments[K];
}[Kind];

type EngineArguments = {
  readonly [
    Kind in Exclude<MeasureKind, 'terms' | 'histogram' | 'percentiles' | 'groups' | 'survival'>
  ]: Measures[Kind]['request'];
};

/** A measure's arguments besides its name: as for engines, unless the wire format differs. */
interface WireArguments extends EngineArguments {
  readonly terms: TermsRequest;
  readonly histogram: { readonly interval: number };
  readonly percentiles: {
    /** Counts of released intervals are accepted if there are no others: they cannot be added up across nodes. */
    readonly orReleased?: true;
  };
  readonly survival: {
    /** Two: the records that have had the event, and the records of which it is known whether they have. */
    readonly filters: readonly Sqon[];
  };
  readonly groups: {
    readonly sets: readonly NamedSet[];
    /** The fingerprint of the hierarchy that the terms of `under` belong to; unset: the field's own hierarchy. */
    readonly hierarchy?: string;
    /** For a level of a tree: which of the terms that its sets begin with are shown, once their counts are known. */
    readonly shown?: { readonly terms: readonly string[]; readonly max: number };
  };
}

/** Values that are counted together. */
export interface NamedSet {
  readonly key: string;
  readonly values?: readonly string[];
  /** Terms of the field's hierarchy: they and all terms under them are values of the set too. */
  readonly under?: readonly string[];
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
  /** In a network, requested only to count distinct values: the cells of a release do not tell their number. */
  readonly counting?: true;
  readonly topHits?: TopHitsRequest;
  readonly filters?: readonly Sqon[];
}

export interface CatalogueResult {
  /** All matches; null when hits were not requested or the total not tracked. */
  readonly total: Count | null;
  /** The records are withheld from this caller: counts are intervals, and there are no hits. */
  readonly withheld?: WithheldStatement;
  readonly hits: readonly CatalogueHit[];
  /** One for each requested facet, in order. `missing` of a terms answer is 0 when it was not to be included. */
  readonly facets: readonly (FacetAnswer | FailedFacet)[];
  /** Notices for the caller, safe to show: unknown fields, clamped pages. */
  readonly warnings: readonly string[];
  /** The outcome at each node of a network; unset: the catalogue is not a network, or a node. */
  readonly nodes?: NodesAnswer;
  /** Of the answer of a node that is a network: how many of its institutions answered; unset: it is a catalogue. */
  readonly reach?: Reach;
  /** The origin of the answer, if known. */
  readonly origin?: AnswerOrigin;
}

/** The program, schema and data that an answer comes from; null means unknown. */
export interface AnswerOrigin {
  readonly version: string | null;
  /** A fingerprint of the catalogue's fields. */
  readonly schema: string | null;
  /** Identifies the data: equal names, equal data. */
  readonly generation: string | null;
  /** When records were last written or deleted, in ISO 8601; null also for callers who may not see all records. */
  readonly lastUpdated: string | null;
}

export interface CatalogueHit {
  readonly id: string;
  /** The node of a network that it is from; unset: the catalogue is not a network. */
  readonly nodeId?: string;
  /** Unique over the nodes of a network. */
  readonly key?: string;
  /** The document, nested as stored, with at least the requested fields. */
  readonly source: JsonObject;
  /** Possibly computed when it is read: spreading a hit loses it, see LazyHit. */
  readonly cursor: readonly CursorValue[];
  /** The cursor before its tie-break was sealed, for comparing rows: never shown. Unset: it is not sealed. */
  readonly rank?: readonly CursorValue[];
}

/**
 * A hit whose cursor is made when it is first read: few callers request cursors, and when paging only the last one. A
 * class, because objects with getters of their own take several times the memory.
 */
export class LazyHit implements CatalogueHit {
  readonly id: string;
  readonly nodeId: string | undefined;
  readonly key: string | undefined;
  readonly source: JsonObject;
  readonly #read: () => readonly CursorValue[];
  readonly #rank: () => readonly CursorValue[];
  #cursor: readonly CursorValue[] | undefined;

  /** @param rank unset: the cursor is not sealed */
  constructor(
    { id, nodeId, key, source }: Omit<CatalogueHit, 'cursor' | 'rank'>,
    cursor: () => readonly CursorValue[],
    rank = cursor,
  ) {
    this.id = id;
    this.nodeId = nodeId;
    this.key = key;
    this.source = source;
    this.#read = cursor;
    this.#rank = rank;
  }

  get cursor(): readonly CursorValue[] {
    return (this.#cursor ??= this.#read());
  }

  get rank(): readonly CursorValue[] {
    return this.#rank();
  }
}

/** The values that a row is compared by, without sealing its cursor. */
export const rankOf = (hit: Pick<CatalogueHit, 'rank' | 'cursor'>): readonly CursorValue[] =>
  hit.rank ?? hit.cursor;

/** The filters that a measure uses besides the query's own. */
export const filtersOf = (measure: FacetMeasure): readonly Sqon[] =>
  'filters' in measure ? (measure.filters ?? []) : [];

/** All filters of a query: its own, and those of its facets. */
export const filtersIn = (
  filters: Sqon | null,
  facets: readonly Pick<FacetRequest, 'measure'>[],
): readonly Sqon[] => [
  ...(filters === null ? [] : [filters]),
  ...facets.flatMap(({ measure }) => filtersOf(measure)),
];

/** Refuses filters where they are disabled. @throws TributaryError FORBIDDEN */
export const rejectFilters = ({ filters, facets }: Pick<CatalogueQuery, 'filters' | 'facets'>): void => {
  if (filtersIn(filters, facets).length > 0) throw filtersAreDisabled();
};

export const filtersAreDisabled = (): TributaryError =>
  new TributaryError('FORBIDDEN', 'filters are disabled here');

/** The measure with each of these filters replaced. */
export const withFilters = (measure: FacetMeasure, change: (filter: Sqon) => Sqon): FacetMeasure =>
  'filters' in measure && measure.filters !== undefined
    ? { ...measure, filters: measure.filters.map(change) }
    : measure;
