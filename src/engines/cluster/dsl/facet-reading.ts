import type { JsonObject } from '../../../json.ts';
import type { FacetQuery } from '../../engine.ts';
import type { FacetResult, MeasureKind } from '../../measure.ts';
import type { TermsReading } from './read-terms.ts';

/** A facet's answer, what else must be asked for it, or that its buckets must be walked through. */
export type FacetReading =
  | { readonly kind: 'complete'; readonly result: FacetResult }
  | FurtherReading
  | Extract<TermsReading, { kind: 'incomplete' }>;

/** What a first answer showed must be asked. */
export interface FurtherReading {
  readonly kind: 'further';
  readonly aggregations: JsonObject;
  /** The answers to these, by the same names. */
  readonly read: (answers: JsonObject) => FacetResult;
}

/** A measure in the servers' language. */
export interface MeasureDsl<Kind extends MeasureKind> {
  /** The aggregations that answer it, by names of its own. @throws TributaryError BAD_USER_INPUT */
  readonly ask: (facet: FacetQuery<Kind>) => JsonObject;
  /**
   * The answers by the same names.
   * @param shards how many were asked: what one shard gives is exact
   * @throws TributaryError BAD_USER_INPUT for more buckets than are given
   */
  readonly read: (facet: FacetQuery<Kind>, answers: JsonObject, shards: number) => FacetReading;
}
