import { TributaryError } from '../../../errors.ts';
import { kindOf } from '../../../introspection/fields/field.ts';
import type { JsonValue } from '../../../json.ts';
import type { FacetQuery, FacetResult, Measure, TermsBucket, TermsResult } from '../../engine.ts';
import { pieceMask, type Checkpoint } from '../columns/checkpoint.ts';
import type { Columns } from '../columns/columns.ts';
import { facetPlaces } from './facet-places.ts';
import { documentsIn, facetScopes, narrowed, type FacetScope } from './facet-scope.ts';
import type { FilterRunner } from './filter.ts';
import type { NumberColumn } from '../columns/number-column.ts';
import type { Running } from './running.ts';
import type { Column, Space } from '../columns/space.ts';
import { countTerms, orderedCodes, termsResult, type TermCounts } from './terms-facet.ts';
import { histogramFacet, rangeFacet, statsFacet } from './value-facets.ts';

/** The source of a document, or of a nested object, cut down to the paths asked. */
export type SourceOf = (space: Space, ordinal: number, paths: readonly string[] | null) => JsonValue;

/**
 * Answers facets over one state of the columns.
 * @throws TributaryError BAD_USER_INPUT for a text field, or a measure its field cannot have
 */
export const runFacets = (
  columns: Columns,
  run: FilterRunner,
  sourceOf: SourceOf,
  facets: readonly FacetQuery[],
  { checkpoint, taken }: Running,
): readonly (FacetResult | null)[] => {
  const scopes = facetScopes(columns, run, checkpoint);
  const answer = (facet: FacetQuery): FacetResult => {
    const column = columns.column(facet.field.path);
    refuseText(facet, column);
    const scope = scopes(facet);
    return facet.measure.kind === 'terms'
      ? termsFacet({ columns, run, sourceOf, checkpoint }, column, scope, facet.measure)
      : numericFacet(facet, column, scope, checkpoint);
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

interface Answering {
  readonly columns: Columns;
  readonly run: FilterRunner;
  readonly sourceOf: SourceOf;
  readonly checkpoint: Checkpoint;
}

const termsFacet = (
  { columns, run, sourceOf, checkpoint }: Answering,
  column: Column | undefined,
  scope: FacetScope,
  { size, topHits, filters }: TermsMeasure,
): TermsResult => {
  if (column === undefined) {
    return { kind: 'terms', buckets: [], distinct: 0, missing: documentsIn(columns, scope) };
  }
  const counts = countTerms(column, scope, checkpoint);
  const ordered = orderedCodes(counts, size, checkpoint);
  const firsts = topHits && topHits.size > 0 ? firstObjects(counts, ordered, scope, checkpoint) : null;
  const filtered = filters?.map((filter) =>
    countsByKey(countTerms(column, narrowed(columns, run, scope, filter), checkpoint)),
  );
  return termsResult(column, counts, ordered, checkpoint, (code): Partial<TermsBucket> => {
    const first = firsts?.get(code);
    // each is a document that is read and parsed
    if (first !== undefined) checkpoint();
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
  checkpoint: Checkpoint,
): ReadonlyMap<number, number> => {
  const sought = new Set(codes);
  const firsts = new Map<number, number>();
  for (const [place, id] of scope.ids.entries()) {
    if (sought.size === 0) break;
    if ((place & pieceMask) === 0) checkpoint();
    for (const code of counts.codesOf(id)) if (sought.delete(code)) firsts.set(code, id);
  }
  return firsts;
};

const countsByKey = (counts: TermCounts): ((key: string) => number) => {
  const byKey = new Map(counts.codes.map((code) => [counts.key(code), counts.count(code)]));
  return (key) => byKey.get(key) ?? 0;
};

const numericFacet = (
  facet: FacetQuery,
  column: Column | undefined,
  scope: FacetScope,
  checkpoint: Checkpoint,
): FacetResult => {
  const { measure } = facet;
  if (measure.kind === 'cardinality') {
    const value = column === undefined ? 0 : countTerms(column, scope, checkpoint).codes.length;
    return { kind: 'cardinality', value, exact: true };
  }
  const data = numbersOf(facet, column);
  switch (measure.kind) {
    case 'stats':
      return statsFacet(data, scope, checkpoint);
    case 'histogram':
      return histogramFacet(facet.field, data, scope, measure, checkpoint);
    case 'range':
      return rangeFacet(data, scope, measure.ranges, checkpoint);
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
