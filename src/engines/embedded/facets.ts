import { TributaryError } from '../../errors.ts';
import { kindOf } from '../../introspection/field.ts';
import type { JsonValue } from '../../json.ts';
import type { FacetQuery, FacetResult, Measure, TermsBucket, TermsResult } from '../engine.ts';
import type { Columns } from './columns.ts';
import { facetPlaces, type TakenFacets } from './facet-places.ts';
import { documentsIn, facetScopes, narrowed, type FacetScope } from './facet-scope.ts';
import type { FilterRunner } from './filter.ts';
import type { NumberColumn } from './number-column.ts';
import type { Column, Space } from './space.ts';
import { countTerms, orderedCodes, termsResult, type TermCounts } from './terms-facet.ts';
import { histogramFacet, rangeFacet, statsFacet } from './value-facets.ts';

/** The source of a document, or of a nested object, cut down to the paths asked. */
export type SourceOf = (space: Space, ordinal: number, paths: readonly string[] | null) => JsonValue;

/**
 * Answers facets over one state of the columns.
 * @param taken when other threads answer the same search: those that they take are null here
 * @throws TributaryError BAD_USER_INPUT for a text field, or a measure its field cannot have
 */
export const runFacets = (
  columns: Columns,
  run: FilterRunner,
  sourceOf: SourceOf,
  facets: readonly FacetQuery[],
  taken?: TakenFacets,
): readonly (FacetResult | null)[] => {
  const scopes = facetScopes(columns, run);
  const answer = (facet: FacetQuery): FacetResult => {
    const column = columns.column(facet.field.path);
    refuseText(facet, column);
    const scope = scopes(facet);
    return facet.measure.kind === 'terms'
      ? termsFacet(columns, run, sourceOf, column, scope, facet.measure)
      : numericFacet(facet, column, scope);
  };
  const results: (FacetResult | null)[] = facets.map(() => null);
  for (const place of facetPlaces(facets.length, taken)) results[place] = answer(facets[place]!);
  return results;
};

const refuseText = (facet: FacetQuery, column: Column | undefined): void => {
  if ((column?.fieldKind ?? kindOf(facet.field.type)) !== 'text') return;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `field ${facet.field.path} is of type text, which cannot be aggregated`,
  );
};

type TermsMeasure = Extract<Measure, { kind: 'terms' }>;

const termsFacet = (
  columns: Columns,
  run: FilterRunner,
  sourceOf: SourceOf,
  column: Column | undefined,
  scope: FacetScope,
  { size, topHits, filters }: TermsMeasure,
): TermsResult => {
  if (column === undefined) {
    return { kind: 'terms', buckets: [], distinct: 0, missing: documentsIn(columns, scope) };
  }
  const counts = countTerms(column, scope);
  const ordered = orderedCodes(counts, size);
  const firsts = topHits && topHits.size > 0 ? firstObjects(counts, ordered, scope) : null;
  const filtered = filters?.map((filter) =>
    countsByKey(countTerms(column, narrowed(columns, run, scope, filter))),
  );
  return termsResult(column, counts, ordered, (code): Partial<TermsBucket> => {
    const first = firsts?.get(code);
    return {
      ...(topHits && first !== undefined && { topHit: sourceOf(scope.space, first, topHits.source) }),
      ...(filtered && { filtered: filtered.map((byKey) => byKey(counts.key(code))) }),
    };
  });
};

/** For each code the first object of the scope that has it. */
const firstObjects = (
  counts: TermCounts,
  codes: readonly number[],
  scope: FacetScope,
): ReadonlyMap<number, number> => {
  const sought = new Set(codes);
  const firsts = new Map<number, number>();
  for (const id of scope.ids) {
    if (sought.size === 0) break;
    for (const code of counts.codesOf(id)) if (sought.delete(code)) firsts.set(code, id);
  }
  return firsts;
};

const countsByKey = (counts: TermCounts): ((key: string) => number) => {
  const byKey = new Map(counts.codes.map((code) => [counts.key(code), counts.count(code)]));
  return (key) => byKey.get(key) ?? 0;
};

const numericFacet = (facet: FacetQuery, column: Column | undefined, scope: FacetScope): FacetResult => {
  const { measure } = facet;
  if (measure.kind === 'cardinality') {
    const value = column === undefined ? 0 : countTerms(column, scope).codes.length;
    return { kind: 'cardinality', value, exact: true };
  }
  const data = numbersOf(facet, column);
  switch (measure.kind) {
    case 'stats':
      return statsFacet(data, scope);
    case 'histogram':
      return histogramFacet(facet.field, data, scope, measure.interval, measure.offset ?? 0);
    case 'range':
      return rangeFacet(data, scope, measure.ranges);
    case 'terms':
      throw new TributaryError('INTERNAL_SERVER_ERROR', 'a terms facet is no numeric facet');
  }
};

const numbersOf = (facet: FacetQuery, column: Column | undefined): NumberColumn | null => {
  if (column === undefined) return null;
  if (column.data.kind === 'number') return column.data;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `field ${column.path} is of type ${column.type}, which has no ${facet.measure.kind}`,
  );
};
