import type { JsonValue } from '../../../lib/json/json.ts';
import type { FacetQuery } from '../../engine.ts';
import type { FacetResult, MeasureKind, TermsBucket, TermsResult } from '../../measure.ts';
import { eventTable, timesOf } from '../../semantics/event-table.ts';
import { assertMeasurable } from '../../semantics/field-uses.ts';
import { pieceMask, type Checkpoint } from '../columns/search-run.ts';
import type { Columns } from '../columns/columns.ts';
import { dateHistogramFacet, histogramFacet, rangeFacet, statsFacet } from './value-facets.ts';
import type { TermCounts } from './terms-facet.ts';
import { countTerms, matchingTerms, orderedCodes, termsResult } from './terms-facet.ts';
import { documentsIn, facetScopes, narrowed, type FacetScope } from './facet-scope.ts';
import type { FilterRunner } from './filter/filter.ts';
import type { NumberColumn } from '../columns/number-column.ts';
import type { Column, NestedLevel } from '../columns/nested-level.ts';
import { groupsFacet } from './groups-facet.ts';
import { logCountsFacet } from './log-counts.ts';

/** The source of a document, or of a nested object, reduced to the requested paths. */
export type SourceOf = (level: NestedLevel, ordinal: number, paths: readonly string[] | null) => JsonValue;

/**
 * Answers facets over one state of the columns.
 * @throws TributaryError BAD_USER_INPUT for a text field, or a measure that its field does not support
 */
export const runFacets = (
  columns: Columns,
  run: FilterRunner,
  sourceOf: SourceOf,
  facets: readonly FacetQuery[],
  checkpoint: Checkpoint,
): readonly FacetResult[] => {
  const scopes = facetScopes(columns, run, checkpoint);
  const answer = <Kind extends MeasureKind>(facet: FacetQuery<Kind>): FacetResult => {
    const column = columns.column(facet.field.path);
    assertMeasurable(column ?? facet.field, facet.measure.kind);
    const scope = scopes(facet);
    const measured = measures[facet.measure.kind] as Measured<Kind>;
    return measured({ columns, run, sourceOf, checkpoint, facet, column, scope }) as FacetResult;
  };
  return facets.map((facet) => answer(facet));
};

interface Answering<Kind extends MeasureKind> {
  readonly columns: Columns;
  readonly run: FilterRunner;
  readonly sourceOf: SourceOf;
  readonly checkpoint: Checkpoint;
  readonly facet: FacetQuery<Kind>;
  /** undefined for a field without values. */
  readonly column: Column | undefined;
  readonly scope: FacetScope;
}

type Measured<Kind extends MeasureKind> = (answering: Answering<Kind>) => FacetResult<Kind>;

const termsFacet = ({
  columns,
  run,
  sourceOf,
  checkpoint,
  facet,
  column,
  scope,
}: Answering<'terms'>): TermsResult => {
  const { size, matching, topHits, filters } = facet.measure;
  if (column === undefined) {
    const missing = matching === undefined ? documentsIn(columns, scope) : 0;
    return { kind: 'terms', buckets: [], distinct: 0, missing };
  }
  const all = countTerms(column, scope, checkpoint);
  const counts = matching === undefined ? all : matchingTerms(all, matching, checkpoint);
  const ordered = orderedCodes(counts, size, checkpoint);
  const firsts = topHits && topHits.size > 0 ? firstObjects(counts, ordered, scope, checkpoint) : null;
  const filtered = filters?.map((filter) =>
    countsIn(countTerms(column, narrowed(columns, run, scope, filter), checkpoint), counts, column),
  );
  return termsResult(column, counts, ordered, checkpoint, (code): Partial<TermsBucket> => {
    const first = firsts?.get(code);
    // each one reads and parses a document
    if (first !== undefined) checkpoint();
    return {
      ...(topHits && first !== undefined && { topHit: sourceOf(scope.level, first, topHits.source) }),
      ...(filtered && { filtered: filtered.map((countOf) => countOf(code)) }),
    };
  });
};

/** The first object of the scope for each code. */
const firstObjects = (
  counts: TermCounts,
  codes: readonly number[],
  scope: FacetScope,
  checkpoint: Checkpoint,
): ReadonlyMap<number, number> => {
  const sought = new Set(codes);
  const firsts = new Map<number, number>();
  for (const [index, id] of scope.ids.entries()) {
    if (sought.size === 0) break;
    if ((index & pieceMask) === 0) checkpoint();
    for (const code of counts.codesOf(id)) if (sought.delete(code)) firsts.set(code, id);
  }
  return firsts;
};

/** Counts by the codes of others. Strings have their dictionary's codes; numbers are assigned codes as they occur. */
const countsIn = (counts: TermCounts, others: TermCounts, { data }: Column): ((code: number) => number) => {
  if (data.kind === 'keyword') return counts.count;
  const byKey = new Map(counts.codes.map((code) => [counts.key(code), counts.count(code)]));
  return (code) => byKey.get(others.key(code)) ?? 0;
};

/** null for a field without values. Other fields are known to be numeric: see assertMeasurable. */
const numbersOf = (column: Column | undefined): NumberColumn | null =>
  column?.data.kind === 'number' ? column.data : null;

const measures: { readonly [Kind in MeasureKind]: Measured<Kind> } = {
  terms: termsFacet,
  stats: ({ column, scope, checkpoint }) => statsFacet(numbersOf(column), scope, checkpoint),
  histogram: ({ facet: { field, measure }, column, scope, checkpoint }) =>
    histogramFacet(field, numbersOf(column), scope, measure, checkpoint),
  date_histogram: ({ facet, column, scope, checkpoint }) =>
    dateHistogramFacet(facet, numbersOf(column), scope, checkpoint),
  range: ({ facet: { measure }, column, scope, checkpoint }) =>
    rangeFacet(numbersOf(column), scope, measure.ranges, checkpoint),
  cardinality: ({ column, scope, checkpoint }) => {
    const value = column === undefined ? 0 : countTerms(column, scope, checkpoint).codes.length;
    return { kind: 'cardinality', value, exact: true };
  },
  percentiles: ({ column, scope, checkpoint }) => logCountsFacet(numbersOf(column), scope, checkpoint),
  groups: ({ facet: { measure }, column, scope, checkpoint }) =>
    groupsFacet(column, scope, measure, checkpoint),
  survival: ({ facet, ...answering }) =>
    eventTable(facet, termsFacet({ ...answering, facet: timesOf(facet) })),
};
