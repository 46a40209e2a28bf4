import type { FacetQuery, HitsQuery, SearchQuery, WriteOperation } from '../../src/engines/engine.ts';
import type { Measure } from '../../src/engines/measure.ts';
import type { Filter } from '../../src/sqon/filter.ts';

/** What is written to an empty index, and then queried. */
export interface EngineCase {
  readonly operations: readonly WriteOperation[];
  readonly query: SearchQuery;
}

/** More attempts than this are not worth waiting for. */
const maxAttempts = 600;

/** A case as small as can be found that still fails; the case itself when it does not fail again. */
export const shrink = async (
  failing: EngineCase,
  fails: (attempt: EngineCase) => Promise<boolean>,
): Promise<EngineCase> => {
  let smallest = failing;
  let attempts = 0;
  const next = async (): Promise<EngineCase | null> => {
    for (const attempt of smaller(smallest)) {
      if (attempts++ >= maxAttempts) return null;
      if (await fails(attempt)) return attempt;
    }
    return null;
  };
  for (let found = await next(); found !== null; found = await next()) smallest = found;
  return smallest;
};

function* smaller({ operations, query }: EngineCase): Generator<EngineCase> {
  for (const fewer of withoutRuns(operations)) yield { operations: fewer, query };
  for (const simpler of simplerQueries(query)) yield { operations, query: simpler };
  for (const [i, operation] of operations.entries()) {
    if (operation.kind === 'delete') continue;
    for (const key of Object.keys(operation.document)) {
      const document = Object.fromEntries(
        Object.entries(operation.document).filter(([name]) => name !== key),
      );
      yield { operations: operations.with(i, { ...operation, document }), query };
    }
  }
}

/** The list without its halves, quarters and so on down to single items. */
function* withoutRuns<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (
    let length = Math.ceil(items.length / 2);
    length >= 1;
    length = length === 1 ? 0 : Math.ceil(length / 2)
  ) {
    for (let start = 0; start < items.length; start += length) yield items.toSpliced(start, length);
  }
}

function* simplerQueries(query: SearchQuery): Generator<SearchQuery> {
  const { hits, facets } = query;
  if (hits !== undefined) {
    yield { facets };
    for (const simpler of simplerHits(hits)) yield { facets, hits: simpler };
  }
  for (const [i, facet] of facets.entries()) {
    yield { ...query, facets: facets.toSpliced(i, 1) };
    for (const simpler of simplerFacets(facet)) yield { ...query, facets: facets.with(i, simpler) };
  }
}

function* simplerHits(hits: HitsQuery): Generator<HitsQuery> {
  for (const filter of simplerFilters(hits.filter)) yield { ...hits, filter };
  if (hits.searchAfter === null) for (const sort of withoutRuns(hits.sort)) yield { ...hits, sort };
  if (hits.source === null || hits.source.length > 0) yield { ...hits, source: [] };
  if (hits.offset > 0) yield { ...hits, offset: 0 };
  if (hits.trackTotal) yield { ...hits, trackTotal: false };
  if (hits.size > 0) yield { ...hits, size: hits.size - 1 };
}

function* simplerFacets(facet: FacetQuery): Generator<FacetQuery> {
  for (const filter of simplerFilters(facet.filter)) yield { ...facet, filter };
  for (const [path, filter] of Object.entries(facet.objects)) {
    yield {
      ...facet,
      objects: Object.fromEntries(Object.entries(facet.objects).filter(([at]) => at !== path)),
    };
    for (const simpler of simplerFilters(filter))
      yield { ...facet, objects: { ...facet.objects, [path]: simpler } };
  }
  for (const measure of simplerMeasures(facet.measure)) yield { ...facet, measure };
}

function* simplerMeasures(measure: Measure): Generator<Measure> {
  if (measure.kind === 'range') {
    for (const ranges of withoutRuns(measure.ranges)) yield { kind: 'range', ranges };
  }
  if (measure.kind !== 'terms') return;
  const { topHits, filters, ...plain } = measure;
  if (topHits !== undefined || filters !== undefined) yield plain;
  if (topHits !== undefined && filters !== undefined) yield { ...plain, topHits };
  if (topHits !== undefined && filters !== undefined) yield { ...plain, filters };
  if (measure.size !== null) yield { ...measure, size: null };
}

function* simplerFilters(filter: Filter): Generator<Filter> {
  if (filter.kind === 'all') return;
  yield { kind: 'all' };
  switch (filter.kind) {
    case 'and':
    case 'or':
      yield* filter.of;
      for (const of of withoutRuns(filter.of)) yield { ...filter, of };
      for (const [i, part] of filter.of.entries()) {
        for (const simpler of simplerFilters(part)) yield { ...filter, of: filter.of.with(i, simpler) };
      }
      return;
    case 'not':
      yield filter.of;
      for (const of of simplerFilters(filter.of)) yield { ...filter, of };
      return;
    case 'nested':
      for (const of of simplerFilters(filter.of)) yield { ...filter, of };
      return;
    case 'terms':
      for (const values of withoutRuns(filter.values)) yield { ...filter, values };
      return;
    case 'pattern':
      for (const pattern of withoutRuns(filter.pattern)) yield { ...filter, pattern };
      return;
    default:
      return;
  }
}
