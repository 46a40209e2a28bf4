import type { JsonObject } from '../../../json.ts';
import type { FacetQuery } from '../../engine.ts';
import type { FacetResult, MeasureKind } from '../../measure.ts';

/** A measure in the servers' language that one search answers: the aggregations, by names of its own, and their answers. */
export interface WholeMeasure<Kind extends MeasureKind> {
  /** @throws TributaryError BAD_USER_INPUT for what means nothing */
  readonly ask: (facet: FacetQuery<Kind>) => JsonObject;
  /** @throws TributaryError BAD_USER_INPUT for more buckets than are given */
  readonly read: (facet: FacetQuery<Kind>, answers: JsonObject) => FacetResult<Kind>;
}
