import { dependsOnNow, parseDate } from '../introspection/dates/dates.ts';
import type { JsonValue } from '../lib/json/json.ts';
import type { Filter, FilterValue } from '../sqon/filter.ts';

/**
 * The measures of a facet: their parameters, besides the name, and their results. Every table of measures is typed by
 * this one, so the compiler reports each place where a new measure is missing.
 */
export interface Measures {
  readonly terms: { readonly request: TermsRequest; readonly result: TermsResult };
  readonly stats: { readonly request: unknown; readonly result: StatsResult };
  readonly histogram: { readonly request: HistogramRequest; readonly result: BucketsResult<'histogram'> };
  readonly date_histogram: {
    readonly request: DateHistogramRequest;
    readonly result: BucketsResult<'date_histogram'>;
  };
  readonly range: { readonly request: RangeRequest; readonly result: BucketsResult<'range'> };
  readonly cardinality: { readonly request: unknown; readonly result: CardinalityResult };
  readonly percentiles: { readonly request: unknown; readonly result: LogCountsResult };
  readonly groups: { readonly request: GroupsRequest; readonly result: BucketsResult<'groups'> };
  readonly survival: { readonly request: SurvivalRequest; readonly result: SurvivalResult };
}

export type MeasureKind = keyof Measures;

export type Measure<Kind extends MeasureKind = MeasureKind> = {
  readonly [K in Kind]: { readonly kind: K } & Measures[K]['request'];
}[Kind];

export type FacetResult<Kind extends MeasureKind = MeasureKind> = {
  readonly [K in Kind]: Measures[K]['result'];
}[Kind];

export interface TermsRequest {
  /** The maximum number of buckets; null for all. */
  readonly size: number | null;
  /** Folded text: only values whose key contains it are listed and counted in `distinct`; `missing` may be 0. */
  readonly matching?: string;
  /** Whether the result's `distinct` is used; if not, it may count only the buckets. Defaults to true. */
  readonly distinct?: boolean;
  /** Whether the result's `missing` is used; if not, it may be 0. Defaults to true. */
  readonly missing?: boolean;
  /** One document's source for each bucket: relative to the nested object for nested facets. */
  readonly topHits?: TopHitsRequest;
  /** Counts each bucket's documents (or nested objects' documents) that satisfy another filter. */
  readonly filters?: readonly Filter[];
}

export interface TopHitsRequest {
  readonly source: readonly string[] | null;
  readonly size: number;
}

export interface HistogramRequest {
  readonly interval: number;
  readonly offset?: number;
}

export type CalendarInterval = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

export interface DateHistogramRequest {
  readonly interval: CalendarInterval;
  /** A name that semantics/time-zone.ts knows. */
  readonly timeZone: string;
}

export interface RangeRequest {
  readonly ranges: readonly RangeBucketQuery[];
}

/** from <= value < to; an open end is absent; whole numbers beyond 2^53 are their digits. */
export interface RangeBucketQuery {
  readonly key: string;
  readonly from?: number | string;
  readonly to?: number | string;
}

/** Sets of values: a document counts once in each set, however many of its values it has. */
export interface GroupsRequest {
  /** The values of all sets, each once. */
  readonly values: readonly FilterValue[];
  readonly sets: readonly GroupSet[];
}

export interface GroupSet {
  readonly key: string;
  /** Positions in the values. */
  readonly members: readonly number[];
}

/** The field is the time under observation. */
export interface SurvivalRequest {
  /** Two: the documents that have had the event, and all documents for which it is known whether they have. */
  readonly filters: readonly Filter[];
}

/** An event table: what survival curves and log-rank tests are computed from. Counts are documents. */
export interface SurvivalResult {
  readonly kind: 'survival';
  /** Each distinct time from 0 on, ascending. */
  readonly times: readonly SurvivalTime[];
  /** Documents that are left out: without a time, with one below 0, and without a known event status. */
  readonly noTime: number;
  readonly negativeTime: number;
  readonly noEvent: number;
}

export interface SurvivalTime {
  readonly time: number;
  readonly events: number;
  /** Documents that had not had the event when they were last seen. */
  readonly censored: number;
}

export interface TermsResult {
  readonly kind: 'terms';
  /** Count descending, then key ascending by UTF-8 bytes. Counts are documents. */
  readonly buckets: readonly TermsBucket[];
  /** Distinct values, whatever `size` cut off. */
  readonly distinct: number;
  /** Documents with an object in scope (or, for a flat field, documents) without a value. */
  readonly missing: number;
}

/** A bucket of any measure with buckets. */
export interface CountedBucket {
  /** Booleans are "0" and "1". */
  readonly key: string;
  /** "false" and "true" for booleans; for calendar intervals the start in their zone, ISO 8601. */
  readonly keyAsString?: string | undefined;
  readonly count: number;
}

export interface TermsBucket extends CountedBucket {
  readonly topHit?: JsonValue | undefined;
  readonly filtered?: readonly number[] | undefined;
}

/** Over values, not documents; min, max, sum and avg are null when there are none. Dates in epoch ms. */
export interface StatsResult {
  readonly kind: 'stats';
  readonly count: number;
  /** Digits for a whole number beyond 2^53, as for `max`. */
  readonly min: number | string | null;
  readonly max: number | string | null;
  readonly sum: number | null;
  readonly avg: number | null;
}

/** Histogram buckets ascending and gapless between the first and last; range buckets in the requested order. */
export interface BucketsResult<Kind extends MeasureKind> {
  readonly kind: Kind;
  readonly buckets: readonly CountedBucket[];
}

export interface CardinalityResult {
  readonly kind: 'cardinality';
  readonly value: number;
  /** false: a search server's approximation. */
  readonly exact: boolean;
}

/**
 * How many objects have a value in each bucket of semantics/log-counts.ts: the basis of percentiles, additive across
 * nodes. An object counts once per bucket, and in several if its values lie in several.
 */
export interface LogCountsResult {
  readonly kind: 'percentiles';
  /** Buckets lie between powers of gamma^(2^level). */
  readonly level: number;
  readonly zero: number;
  /** By index, ascending; empty buckets are omitted. */
  readonly positive: readonly LogCount[];
  /** By the index of the absolute value, ascending. */
  readonly negative: readonly LogCount[];
  /** Counts in another unit: each value lies in its bucket or next to it; unset: in it. */
  readonly shifted?: true;
}

export type LogCount = readonly [index: number, count: number];

/** An end of a range, resolved to the current time if it depends on the clock. */
export const endAtNow = (end: number | string): number | string =>
  typeof end === 'string' && dependsOnNow(end) ? (parseDate(end, undefined, 'down') ?? end) : end;

/** A range with both ends resolved to the current time. */
export const rangeAtNow = ({ key, from, to }: RangeBucketQuery): RangeBucketQuery => ({
  key,
  ...(from === undefined ? {} : { from: endAtNow(from) }),
  ...(to === undefined ? {} : { to: endAtNow(to) }),
});
