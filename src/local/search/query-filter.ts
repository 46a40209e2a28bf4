import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import { fieldNamed, type Fields, type Field } from '../../introspection/fields/field.ts';
import type { Sqon } from '../../sqon/ast.ts';
import { validateSqon, facetFilter } from '../../sqon/compile.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { expandSets, fieldNamesIn, setIdsIn } from '../../sqon/rewrite.ts';
import type { CatalogueQuery, FacetMeasure, FacetRequest } from '../../search/query.ts';
import { filtersIn, withFilters } from '../../search/query.ts';
import type { SetStore } from '../../search/saved-set.ts';
import type { FacetQuery } from '../../engines/engine.ts';
import type { Measure, MeasureKind } from '../../engines/measure.ts';
import { measureRow } from '../../search/facets/measures.ts';
import type { CompiledNodes } from '../../sqon/scope.ts';

/**
 * The part of a catalogue visible to this caller; null is everything. It is kept separate from the caller's own filter,
 * so that no rewrite of that one (a facet's self-exclusion) can ever drop it.
 *
 * @throws TributaryError FORBIDDEN when the filter does not fit the catalogue: a rule on a missing field must not grant
 *   access; whatever `caller.accessFilter` throws
 */
export const accessFilter = async (
  catalogueId: string,
  fields: Fields,
  context: RequestContext,
): Promise<Sqon | null> => {
  const sqon = await context.caller.accessFilter(catalogueId);
  if (sqon === null) return null;
  const unknown = fieldNamesIn(sqon).find((name) => fieldNamed(fields, name) === undefined);
  if (unknown !== undefined) throw misfit(catalogueId, new Error(`unknown field ${unknown}`));
  try {
    validateSqon(sqon, fields);
  } catch (error) {
    throw misfit(catalogueId, error);
  }
  return sqon;
};

const misfit = (catalogueId: string, cause: unknown): TributaryError =>
  new TributaryError('FORBIDDEN', `the access filter of catalogue ${catalogueId} does not fit its fields`, {
    cause,
  });

/** Limits per request: the number of sets, and of their values, counted each time a set is used. */
const maxSets = 50;
const maxValues = 250_000;

/**
 * The query to a catalogue with every `set_id:<id>` in its filters replaced by that set's values.
 * @throws TributaryError BAD_USER_INPUT for a set that is not available to this caller, or too many of them
 */
export const expandQuery = async (
  query: CatalogueQuery,
  sets: SetStore,
  catalogueId: string,
  context: RequestContext,
): Promise<CatalogueQuery> => {
  const setIds = [...new Set(filtersIn(query.filters, query.facets).flatMap(setIdsIn))];
  if (setIds.length === 0) return query;
  if (setIds.length > maxSets)
    throw badUserInput(`the filter names ${setIds.length} saved sets, at most ${maxSets} are accepted`);
  const bySet = await sets.valuesOf(setIds, catalogueId, context);
  let taken = 0;
  const valuesOf = (setId: string): readonly string[] => {
    const values = bySet.get(setId)!;
    taken += values.length;
    if (taken > maxValues)
      throw badUserInput(
        `the saved sets in the filter hold more than ${maxValues} values together; use fewer or smaller ones`,
      );
    return values;
  };
  const expand = (sqon: Sqon): Sqon => expandSets(sqon, valuesOf);
  return {
    ...query,
    filters: query.filters && expand(query.filters),
    facets: query.facets.map((facet) => ({ ...facet, measure: withFilters(facet.measure, expand) })),
  };
};

export interface FacetContext {
  readonly fields: Fields;
  readonly nestingPrefix: string | null;
  readonly query: Pick<CatalogueQuery, 'filters' | 'filterThemselves' | 'includeMissing'>;
  /** The caller's access filter: it applies to self-excluding facets too. */
  readonly access: Sqon | null;
  /** See compileSqon. */
  readonly compiled: CompiledNodes;
}

/**
 * The facets of a query for the engine, each with its own filter. Facets of one field share a filter.
 *
 * @param facets of fields that support their measures
 * @throws TributaryError BAD_USER_INPUT for an unknown field, or an invalid max, interval or list of ranges
 */
export const facetQueries = (
  facets: readonly FacetRequest[],
  context: FacetContext,
): readonly FacetQuery[] => {
  const filters = new Map<string, Pick<FacetQuery, 'filter' | 'objects'>>();
  return facets.map(({ field: path, measure }) => {
    const field = facetField(path, context.fields);
    // a cohort may be defined by survival times
    const themselves = context.query.filterThemselves || measure.kind === 'survival';
    const key = `${themselves} ${path}`;
    const known = filters.get(key);
    const filter =
      known ??
      facetFilter(context.query.filters, field, context.fields, themselves, context.access, context.compiled);
    if (known === undefined) filters.set(key, filter);
    return { field: field.indexField, ...filter, measure: engineMeasure(field, measure, context) };
  });
};

const facetField = (path: string, fields: Fields): Field => {
  const field = fields.get(path);
  if (field !== undefined) return field;
  throw badUserInput(`aggregations name the unknown field ${path}`);
};

const engineMeasure = <Kind extends MeasureKind>(
  field: Field,
  measure: FacetMeasure<Kind>,
  { fields, nestingPrefix, query: { includeMissing } }: FacetContext,
): Measure<Kind> =>
  measureRow<Kind>(measure.kind).toEngine(measure, { field, fields, nestingPrefix, includeMissing });
