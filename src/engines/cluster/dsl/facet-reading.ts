import type { JsonObject } from '../../../json/json.ts';
import type { FacetQuery } from '../../engine.ts';
import type { FacetResult, MeasureKind } from '../../measure.ts';
import type { TermsReading } from './read-terms.ts';

/** A facet's result, a further request it needs, or that its buckets must be paged through. */
export type FacetReading = CompleteReading | FurtherReading | Extract<TermsReading, { kind: 'incomplete' }>;

/** A further request that the first response showed to be necessary. */
export interface FurtherReading {
  readonly kind: 'further';
  readonly aggregations: JsonObject;
  /** Whether these cover all documents of the index instead of the facet's. */
  readonly everywhere?: true;
  /** Reads the responses to these, by the same names. */
  readonly read: (answers: JsonObject) => CompleteReading | FurtherReading;
}

export interface CompleteReading {
  readonly kind: 'complete';
  readonly result: FacetResult;
}

/** A measure in the query DSL. */
export interface MeasureDsl<Kind extends MeasureKind> {
  /** The aggregations that answer it, under names local to the measure. @throws TributaryError BAD_USER_INPUT */
  readonly ask: (facet: FacetQuery<Kind>) => JsonObject;
  /**
   * Reads the responses under the same names.
   * @param shards the number of shards searched: the result of a single shard is exact
   * @throws TributaryError BAD_USER_INPUT for more buckets than are allowed
   */
  readonly read: (facet: FacetQuery<Kind>, answers: JsonObject, shards: number) => FacetReading;
}
