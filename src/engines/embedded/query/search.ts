import type { HitsQuery, SearchQuery } from '../../engine.ts';
import type { FacetResult } from '../../measure.ts';
import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '../../../json/json.ts';
import { countBits, type Bitset } from '../columns/bitset.ts';
import type { Checkpoint, SearchRun } from '../columns/checkpoint.ts';
import type { Columns } from '../columns/columns.ts';
import { liveMatches } from './facet-scope.ts';
import { runFacets } from './facets.ts';
import { filterRunner, type FilterRunner } from './filter/filter.ts';
import { pageEntries, pageOf, type PageEntry } from './page.ts';
import { parseStored } from '../store/store-file.ts';
import { ancestorOf, type NestedLevel } from '../columns/nested-level.ts';

/** Where the stored documents come from. */
export interface DocumentSource {
  /** The stored JSON text of a document. */
  text(number: number): string;
}

/** A search result before rendering: hits as entries, sources still in the store. */
export interface SearchAnswer {
  readonly total: number | null;
  readonly page: readonly PageEntry[];
  /** null: claimed by another thread that answers the same search. */
  readonly facets: readonly (FacetResult | null)[];
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
  return { total, page, facets: runFacets(columns, run, sourceOf, query.facets, running) };
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
  const textOf = textReader(source, paths);
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
): ((number: number) => string) => {
  if (paths === null) return (number) => source.text(number);
  if (paths.length === 0) return () => '{}';
  const filtered = sourceFilter(paths);
  return (number) => JSON.stringify(filtered(parseStored(source.text(number))));
};

/** The stored JSON of an object: a document, or the nested object with that ordinal. */
const objectAt = (
  columns: Columns,
  source: DocumentSource,
  level: NestedLevel,
  ordinal: number,
): JsonObject => {
  if (level.parent === null) return parseStored(source.text(columns.docIds.at(ordinal)));
  const parent = ancestorOf(level, ordinal, level.parent);
  const above = objectAt(columns, source, level.parent, parent);
  const { path } = level.parent;
  const relative = path === '' ? level.path : level.path.slice(path.length + 1);
  return nestedObjects(above, relative)[ordinal - level.firstChildOf(parent)] ?? {};
};

/**
 * Reduces a document to the wanted dotted paths, through lists; everything below a wanted object is kept. Lists keep
 * their length: an object without any wanted path becomes {}.
 * @param paths null for the whole document
 */
const filterSource = (document: JsonObject, paths: readonly string[] | null): JsonObject =>
  paths === null ? document : sourceFilter(paths)(document);

/** The same for many documents. */
const sourceFilter = (paths: readonly string[]): ((document: JsonObject) => JsonObject) => {
  const wanted = new Set(paths);
  const above = new Set(paths.flatMap(ancestorsOf));
  return (document) => pick(document, '', wanted, above);
};

/** `a.b.c` has the ancestors `a` and `a.b`. */
const ancestorsOf = (path: string): readonly string[] => {
  const parts = path.split('.');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('.'));
};

const pick = (
  object: JsonObject,
  prefix: string,
  wanted: ReadonlySet<string>,
  above: ReadonlySet<string>,
): JsonObject => {
  const kept: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(object)) {
    // keys may contain dots themselves, so paths are compared as text
    const path = prefix + key;
    if (value === undefined) continue;
    if (wanted.has(path) || (key.includes('.') && hasWantedAncestor(path, prefix.length, wanted))) {
      setOwn(kept, key, value);
    } else if (above.has(path)) {
      const inner = pickInside(value, `${path}.`, wanted, above);
      if (inner !== undefined) setOwn(kept, key, inner);
    }
  }
  return kept;
};

/** Whether one of the objects implied by a dotted key is wanted. */
const hasWantedAncestor = (path: string, from: number, wanted: ReadonlySet<string>): boolean => {
  for (let dot = path.indexOf('.', from); dot !== -1; dot = path.indexOf('.', dot + 1))
    if (wanted.has(path.slice(0, dot))) return true;
  return false;
};

const pickInside = (
  value: JsonValue,
  prefix: string,
  wanted: ReadonlySet<string>,
  above: ReadonlySet<string>,
): JsonValue | undefined => {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[])
      .map((item) => pickInside(item, prefix, wanted, above))
      .filter((item) => item !== undefined);
  }
  return isJsonObject(value) ? pick(value, prefix, wanted, above) : undefined;
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
