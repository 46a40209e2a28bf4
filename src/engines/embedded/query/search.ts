import type { HitsQuery, SearchQuery } from '../../engine.ts';
import type { FacetResult } from '../../measure.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts';
import { countBits, type Bitset } from '../columns/bitset.ts';
import type { Checkpoint, SearchRun } from '../columns/search-run.ts';
import type { Columns } from '../columns/columns.ts';
import { filterSource, sourceFilter } from '../../semantics/source-filter.ts';
import { liveMatches } from './facet-scope.ts';
import { runFacets } from './facets.ts';
import { filterRunner, type FilterRunner } from './filter/filter.ts';
import { pageEntries, pageOf, type PageEntry } from './page.ts';
import { ancestorOf, type NestedLevel } from '../columns/nested-level.ts';

/** Where the stored documents come from. */
export interface DocumentSource {
  /** The stored JSON text of a document. */
  text(number: number): string;
  /** The parsed document; shared, read-only. @param isKept whether it is cached for the next call */
  document(number: number, isKept: boolean): JsonObject;
}

/** A search result before rendering: hits as entries, sources still in the store. */
export interface SearchAnswer {
  readonly total: number | null;
  readonly page: readonly PageEntry[];
  readonly facets: readonly FacetResult[];
}

/**
 * Runs a query over one state of an index.
 * @throws SearchStopped, TributaryError BAD_USER_INPUT when the query does not fit the data
 */
export const search = (
  columns: Columns,
  source: DocumentSource,
  query: SearchQuery,
  running: SearchRun,
): SearchAnswer => {
  const run = filterRunner(columns, running.checkpoint);
  const { total, page } = runHits(columns, run, query.hits, running.checkpoint);
  const sourceOf = (level: NestedLevel, ordinal: number, paths: readonly string[] | null): JsonValue =>
    filterSource(objectAt(columns, source, level, ordinal), paths);
  return { total, page, facets: runFacets(columns, run, sourceOf, query.facets, running.checkpoint) };
};

const runHits = (
  columns: Columns,
  run: FilterRunner,
  hits: HitsQuery | undefined,
  checkpoint: Checkpoint,
): { total: number | null; page: readonly PageEntry[] } => {
  if (hits === undefined) return { total: null, page: [] };
  let matches: Bitset | undefined;
  const live = (): Bitset => (matches ??= liveMatches(columns, run, hits.filter));
  const total = hits.trackTotal ? countBits(live()) : null;
  const page = columns.readAhead.page(
    columns,
    hits,
    (size) => pageOf(columns, live(), { ...hits, size }, checkpoint),
    (ordinal) => pageEntries(columns, Uint32Array.of(ordinal), hits.sort)[0]!.cursor,
  );
  return { total, page: pageEntries(columns, page, hits.sort, checkpoint) };
};

/** Larger pages are read by clients that go through everything once, so caching them is useless. */
const largestKeptPage = 100;

/** A new JSON text is started after this many characters. */
const pieceLength = 1 << 18;

/** The page's sources as JSON lists in text form: whole documents are not even parsed here. */
export const sourcesTexts = (
  columns: Columns,
  source: DocumentSource,
  page: readonly PageEntry[],
  paths: readonly string[] | null,
  checkpoint: Checkpoint,
): readonly string[] => {
  const textOf = textReader(source, paths, page.length <= largestKeptPage);
  const pieces: string[] = [];
  let piece: string[] = [];
  let length = 0;
  const end = (): void => {
    pieces.push(`[${piece.join(',')}]`);
    [piece, length] = [[], 0];
  };
  for (const { ordinal } of page) {
    checkpoint();
    const text = textOf(columns.docIds.at(ordinal));
    length += text.length;
    piece.push(text);
    if (length > pieceLength) end();
  }
  if (piece.length > 0) end();
  return pieces;
};

const textReader = (
  source: DocumentSource,
  paths: readonly string[] | null,
  isKept: boolean,
): ((number: number) => string) => {
  if (paths === null) return (number) => source.text(number);
  if (paths.length === 0) return () => '{}';
  const filtered = sourceFilter(paths);
  return (number) => JSON.stringify(filtered(source.document(number, isKept)));
};

/** The stored JSON of an object: a document, or the nested object with that ordinal. */
const objectAt = (
  columns: Columns,
  source: DocumentSource,
  level: NestedLevel,
  ordinal: number,
): JsonObject => {
  if (level.parent === null) return source.document(columns.docIds.at(ordinal), true);
  const parent = ancestorOf(level, ordinal, level.parent);
  const above = objectAt(columns, source, level.parent, parent);
  const { path } = level.parent;
  const relative = path === '' ? level.path : level.path.slice(path.length + 1);
  return nestedObjects(above, relative)[ordinal - level.firstChildOf(parent)] ?? {};
};

/**
 * The nested objects at a dotted path below an object, in the order in which they are numbered when a document is read:
 * lists flattened, nulls skipped.
 * @param path relative to `object`
 */
export const nestedObjects = (object: JsonObject, path: string): readonly JsonObject[] =>
  Object.entries(object).flatMap(([key, value]) => {
    if (value === undefined) return [];
    if (key === path) return objectsIn(value);
    if (path.startsWith(`${key}.`)) return inside(value, path.slice(key.length + 1));
    // a dotted key may reach below the path
    if (key.startsWith(`${path}.`)) return [{ [key.slice(path.length + 1)]: value }];
    return [];
  });

const inside = (value: JsonValue, path: string): readonly JsonObject[] =>
  objectsIn(value).flatMap((object) => nestedObjects(object, path));

const objectsIn = (value: JsonValue): readonly JsonObject[] => {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(objectsIn);
  return isJsonObject(value) ? [value] : [];
};
