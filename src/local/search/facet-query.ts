import type { FacetQuery } from '../../engines/engine.ts';
import type { Measure, MeasureKind } from '../../engines/measure.ts';
import { assertCountable } from '../../engines/semantics/field-uses.ts';
import { TributaryError } from '../../errors/errors.ts';
import { measureRow } from '../../facets/measures.ts';
import type { Field, Fields } from '../../introspection/fields/field.ts';
import type { CatalogueQuery, FacetMeasure, FacetRequest } from '../../search/query.ts';
import type { Sqon } from '../../sqon/ast.ts';
import { facetFilter } from '../../sqon/facet-filter.ts';

export interface FacetContext {
  readonly fields: Fields;
  readonly nestingPrefix: string | null;
  readonly query: Pick<CatalogueQuery, 'filters' | 'filterThemselves' | 'includeMissing'>;
  /** The caller's access filter: it applies to self-excluding facets too. */
  readonly access: Sqon | null;
}

/**
 * The facets of a query for the engine, each with its own filter. Facets of one field share a filter.
 *
 * @throws TributaryError BAD_USER_INPUT for a field that is unknown or does not support the measure, or an invalid max,
 *   interval or list of ranges
 */
export const facetQueries = (
  facets: readonly FacetRequest[],
  context: FacetContext,
): readonly FacetQuery[] => {
  const filters = new Map<string, Pick<FacetQuery, 'filter' | 'objects'>>();
  return facets.map(({ field: path, measure }) => {
    const field = facetField(path, measure, context.fields);
    const known = filters.get(path);
    const filter =
      known ??
      facetFilter(
        context.query.filters,
        field,
        context.fields,
        context.query.filterThemselves,
        context.access,
      );
    if (known === undefined) filters.set(path, filter);
    return { field: field.indexField, ...filter, measure: engineMeasure(field, measure, context) };
  });
};

const facetField = (path: string, measure: FacetMeasure, fields: Fields): Field => {
  const field = fields.get(path);
  if (field === undefined)
    throw new TributaryError('BAD_USER_INPUT', `aggregations name the unknown field ${path}`);
  assertCountable(field, measure.kind);
  return field;
};

const engineMeasure = <Kind extends MeasureKind>(
  field: Field,
  measure: FacetMeasure<Kind>,
  { fields, nestingPrefix, query: { includeMissing } }: FacetContext,
): Measure<Kind> =>
  measureRow<Kind>(measure.kind).toEngine(measure, { field, fields, nestingPrefix, includeMissing });
