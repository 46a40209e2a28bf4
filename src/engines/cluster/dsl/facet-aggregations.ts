import { hasOwnValues, kindOf } from '../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../json/json.ts';
import type { FacetQuery } from '../../engine.ts';
import type { MeasureKind } from '../../measure.ts';
import { assertMeasurable, notCountable } from '../../semantics/field-uses.ts';
import { measureDsl } from './measure-dsl.ts';
import { documents } from './terms-aggregations.ts';

/**
 * The aggregations that answer a facet, within its scope.
 * @throws TributaryError BAD_USER_INPUT for a text field, a measure its field does not support, an interval not above 0
 */
export const facetAggregations = <Kind extends MeasureKind>(facet: FacetQuery<Kind>): JsonObject => {
  if (facet.field.path === '_id') throw notCountable(facet.field);
  assertMeasurable(facet.field, facet.measure.kind);
  return hasValues(facet)
    ? measureDsl<Kind>(facet.measure.kind).ask(facet)
    : { documents: documents({ field: facet.field }) };
};

/** Object fields have no values themselves: for them everything counts as missing. */
export const hasValues = ({ field }: Pick<FacetQuery, 'field'>): boolean => hasOwnValues(kindOf(field.type));
