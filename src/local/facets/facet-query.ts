import type { FacetQuery, Measure } from '../../engines/engine.ts';
import { TributaryError } from '../../errors.ts';
import type { Field, FieldKind, Fields } from '../../introspection/fields/field.ts';
import type { Sqon } from '../../sqon/ast.ts';
import { compileSqon } from '../../sqon/compile.ts';
import { facetFilter } from '../../sqon/facet-filter.ts';
import type { CatalogueQuery, FacetMeasure, FacetRequest } from '../../search/query.ts';

export interface FacetContext {
  readonly fields: Fields;
  readonly nestingPrefix: string | null;
  readonly query: Pick<CatalogueQuery, 'filters' | 'filterThemselves' | 'includeMissing'>;
  /** The caller's access filter: it holds for self-excluding facets too. */
  readonly access: Sqon | null;
}

/**
 * The facets of a query for the engine, each with its own filter. Facets of one field share it.
 *
 * @throws TributaryError BAD_USER_INPUT for a field that is unknown or cannot be measured so, a max, interval or list
 * of ranges that means nothing
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
    return { field: field.inIndex, ...filter, measure: engineMeasure(field, measure, context) };
  });
};

const facetField = (path: string, measure: FacetMeasure, fields: Fields): Field => {
  const field = fields.get(path);
  if (field === undefined)
    throw new TributaryError('BAD_USER_INPUT', `aggregations name the unknown field ${path}`);
  assertCountable(field, measure.kind);
  return field;
};

/** @throws TributaryError BAD_USER_INPUT for a field whose values cannot be measured so */
export const assertCountable = (
  { path, type, kind }: Pick<Field, 'path' | 'type' | 'kind'>,
  measure: FacetMeasure['kind'],
): void => {
  if (countable[measure].has(kind)) return;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `field ${path} of type ${type} has no ${measure}; use a ${[...countable[measure]][0]} field`,
    { details: { fieldName: path, type } },
  );
};

const values: ReadonlySet<FieldKind> = new Set(['keyword', 'boolean', 'number', 'date', 'object', 'json']);
const quantities: ReadonlySet<FieldKind> = new Set(['number', 'date']);

/** An object has no values of its own: every document is in its bucket for missing values. */
const countable: Readonly<Record<FacetMeasure['kind'], ReadonlySet<FieldKind>>> = {
  terms: values,
  cardinality: values,
  stats: quantities,
  histogram: quantities,
  range: quantities,
};

/** Every value is looked up in every range. */
const mostRanges = 1_000;

const engineMeasure = (field: Field, measure: FacetMeasure, context: FacetContext): Measure => {
  switch (measure.kind) {
    case 'terms':
      return termsMeasure(field, measure, context);
    case 'histogram':
      if (!(measure.interval > 0))
        throw new TributaryError(
          'BAD_USER_INPUT',
          `the histogram of ${field.path} needs an interval above 0, not ${measure.interval}`,
        );
      return measure;
    case 'range':
      if (measure.ranges.length === 0)
        throw new TributaryError('BAD_USER_INPUT', `range of ${field.path} needs at least one range`);
      if (measure.ranges.length > mostRanges)
        throw new TributaryError(
          'BAD_USER_INPUT',
          `range of ${field.path} takes at most ${mostRanges} ranges, not ${measure.ranges.length}`,
        );
      return measure;
    case 'stats':
    case 'cardinality':
      return measure;
  }
};

const termsMeasure = (
  field: Field,
  { max, distinct, topHits, filters }: Extract<FacetMeasure, { kind: 'terms' }>,
  { fields, nestingPrefix, query }: FacetContext,
): Measure => {
  if (max !== null && max <= 0)
    throw new TributaryError(
      'BAD_USER_INPUT',
      `max of the buckets of ${field.path} must be 1 or more, not ${max}`,
    );
  const source = topHits?.source?.map((path) => topHitPath(path, field, nestingPrefix)) ?? null;
  return {
    kind: 'terms',
    size: max,
    ...(distinct === false && { distinct }),
    ...(!query.includeMissing && { missing: false }),
    ...(topHits && { topHits: { source, size: topHits.size } }),
    ...(filters && { filters: filters.map((filter: Sqon) => compileSqon(filter, fields)) }),
  };
};

/** Clients write dotted paths of the document; the top hit of a nested facet is the nested object itself. */
const topHitPath = (path: string, field: Field, nestingPrefix: string | null): string => {
  const nestedPath = field.nestedIn.at(-1);
  if (nestedPath !== undefined)
    return path.startsWith(`${nestedPath}.`) ? path.slice(nestedPath.length + 1) : path;
  return nestingPrefix === null ? path : `${nestingPrefix}.${path}`;
};
