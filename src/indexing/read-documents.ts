import type { CursorValue, Engine, Hit, IndexDescription } from '../engines/engine.ts';
import { TributaryError } from '../lib/errors/errors.ts';
import type { JsonObject } from '../lib/json/json.ts';
import { all, type Filter } from '../sqon/filter.ts';
import { jsonSize } from './bulk-writer.ts';

const firstPage = 100;
const maxDocuments = 2_000;
/** Target size of a page, in characters of JSON. */
const pageLength = 4_000_000;

/** A document as stored, and its JSON text. */
export interface StoredText {
  readonly id: string;
  readonly src: string;
}

/**
 * All documents of an index in tie-break order, read in pages of about 4 MB.
 * @param index its name, or an alias
 * @throws TributaryError ENGINE_ERROR when a page is incomplete; errors of the engine
 */
export const readDocuments = async function* (engine: Engine, index: string): AsyncGenerator<StoredText> {
  for await (const hits of readPages(engine, index))
    yield* hits.map(({ id, source }) => ({ id, src: JSON.stringify(source) }));
};

/**
 * All documents of an index in tie-break order, page by page, each of about 4 MB.
 * @throws TributaryError ENGINE_ERROR when a page is incomplete; errors of the engine
 */
export const readPages = async function* (engine: Engine, index: string): AsyncGenerator<readonly Hit[]> {
  let cursor: readonly CursorValue[] | null = null;
  let size = firstPage;
  for (;;) {
    const page: HitsPage = { filter: all, searchAfter: cursor, source: null, size };
    const hits: readonly Hit[] = await readPage(engine, index, page);
    const last = hits.at(-1);
    if (last === undefined) return;
    yield hits;
    cursor = last.cursor;
    size = nextSize(hits);
  }
};

/** The hits to read: those of `filter` after a cursor. */
export interface HitsPage {
  readonly filter: Filter;
  readonly searchAfter: readonly CursorValue[] | null;
  /** The fields of each document; null: all, []: none. */
  readonly source: readonly string[] | null;
  readonly size: number;
}

/**
 * One page of hits in tie-break order.
 * @throws TributaryError ENGINE_ERROR when the page is incomplete; errors of the engine
 */
export const readPage = async (
  engine: Engine,
  index: string,
  page: HitsPage,
  signal?: AbortSignal,
): Promise<readonly Hit[]> => {
  const hits = { ...page, offset: 0, sort: [], trackTotal: false };
  const result = await engine.search(index, { hits, facets: [] }, signal && { signal });
  if (result.warnings.length > 0)
    throw new TributaryError(
      'ENGINE_ERROR',
      `${index} cannot be read completely: ${result.warnings.join('; ')}`,
    );
  return result.hits!.hits;
};

/** The number of documents for the next page, judging by this one; at most doubled, as the next documents may be longer. */
const nextSize = (page: readonly Hit[]): number => {
  const average = page.reduce((sum, { source }) => sum + jsonSize(source), 0) / page.length;
  const fitting = Math.max(1, Math.floor(pageLength / Math.max(1, average)));
  return Math.min(fitting, maxDocuments, Math.max(firstPage, page.length * 2));
};

/** Settings that both products support in all versions. */
const portable: ReadonlySet<string> = new Set([
  'analysis',
  'similarity',
  'mapping',
  'sort',
  'number_of_shards',
  'number_of_replicas',
  'refresh_interval',
  'max_result_window',
  'max_ngram_diff',
  'max_shingle_diff',
  'max_terms_count',
]);

/** The body that creates an index like this one on any engine: its mapping, and the settings that all products support. */
export const indexBody = ({
  properties,
  dynamic,
  dynamicRules,
  settings = {},
}: IndexDescription): JsonObject => {
  const kept = Object.entries(settings).filter(([name]) => portable.has(name.split('.')[0]!));
  return {
    mappings: { ...dynamicRules, ...(dynamic !== undefined && { dynamic }), properties },
    ...(kept.length > 0 && { settings: Object.fromEntries(kept) }),
  };
};
