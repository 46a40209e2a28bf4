import type { FacetResult, HitsQuery, SearchQuery } from '../engine.ts';
import type { JsonObject, JsonValue } from '../../json.ts';
import type { Columns } from './columns.ts';
import { liveMatches } from './facet-scope.ts';
import { runFacets } from './facets.ts';
import { filterRunner, type FilterRunner } from './filter.ts';
import { nestedObjects } from './nested-objects.ts';
import { pageOf, type PageEntry } from './page.ts';
import { filterSource } from './source-filter.ts';
import { ancestorOf, type Space } from './space.ts';

/** Where the stored documents come from. */
export interface DocumentSource {
  /** The stored JSON text of a document. */
  text(number: number): string;
  /** The same parsed; shared, read only. */
  document(number: number): JsonObject;
}

/** A search's answer before it is rendered: hits as entries, sources still in the store. */
export interface SearchAnswer {
  readonly total: number | null;
  readonly page: readonly PageEntry[];
  readonly facets: readonly FacetResult[];
}

/**
 * Runs a query over one state of an index.
 * @throws TributaryError BAD_USER_INPUT for what the data refuse
 */
export const search = (columns: Columns, source: DocumentSource, query: SearchQuery): SearchAnswer => {
  const run = filterRunner(columns);
  const { total, page } = runHits(columns, run, query.hits);
  const sourceOf = (space: Space, ordinal: number, paths: readonly string[] | null): JsonValue =>
    filterSource(objectAt(columns, source, space, ordinal), paths);
  return { total, page, facets: runFacets(columns, run, sourceOf, query.facets) };
};

const runHits = (
  columns: Columns,
  run: FilterRunner,
  hits: HitsQuery | undefined,
): { total: number | null; page: readonly PageEntry[] } => {
  if (hits === undefined) return { total: null, page: [] };
  const ids = liveMatches(columns, run, hits.filter);
  return { total: hits.trackTotal ? ids.length : null, page: pageOf(columns, ids, hits) };
};

/** The JSON text of a list of the page's sources: whole documents need not even be parsed here. */
export const sourcesText = (
  columns: Columns,
  source: DocumentSource,
  page: readonly PageEntry[],
  paths: readonly string[] | null,
): string => {
  const texts = page.map(({ ordinal }) => {
    const number = columns.numbers.at(ordinal);
    if (paths === null) return source.text(number);
    return paths.length === 0 ? '{}' : JSON.stringify(filterSource(source.document(number), paths));
  });
  return `[${texts.join(',')}]`;
};

/** The stored JSON of an object: a document, or the nested object of that ordinal. */
const objectAt = (columns: Columns, source: DocumentSource, space: Space, ordinal: number): JsonObject => {
  if (space.parent === null) return source.document(columns.numbers.at(ordinal));
  const parent = ancestorOf(space, ordinal, space.parent);
  const above = objectAt(columns, source, space.parent, parent);
  const { path } = space.parent;
  const relative = path === '' ? space.path : space.path.slice(path.length + 1);
  return nestedObjects(above, relative)[ordinal - space.startOf(parent)] ?? {};
};
