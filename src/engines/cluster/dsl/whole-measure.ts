import type { JsonObject } from '../../../json/json.ts';
import type { FacetQuery } from '../../engine.ts';
import type { FacetResult, MeasureKind } from '../../measure.ts';

/** A measure in the query DSL that a single search answers: its aggregations, under local names, and their results. */
export interface WholeMeasure<Kind extends MeasureKind> {
  /** @throws TributaryError BAD_USER_INPUT for meaningless parameters */
  readonly ask: (facet: FacetQuery<Kind>) => JsonObject;
  /** @throws TributaryError BAD_USER_INPUT for more buckets than are allowed */
  readonly read: (facet: FacetQuery<Kind>, answers: JsonObject) => FacetResult<Kind>;
}
