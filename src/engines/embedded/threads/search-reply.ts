import type { CursorValue, HitsQuery, SearchQuery } from '../../engine.ts';
import type { Columns } from '../columns/columns.ts';
import { uninterrupted, type SearchRun, type Checkpoint } from '../columns/search-run.ts';
import { search, sourcesTexts, type DocumentSource } from '../query/search.ts';
import { withIncarnation, withoutIncarnation } from '../../semantics/incarnation.ts';
import type { FacetResult } from '../../measure.ts';
import { yieldToEventLoop } from '../../../concurrency/yield-to-event-loop.ts';

/** A SearchResult in transit: the hits' sources are JSON strings, which are cheaper to transfer than objects. */
export interface SearchReply {
  /** Identifies the state of the index that answered, in every process: equal values, equal documents. */
  readonly generation: string;
  /** The name of the index, not an alias. */
  readonly index: string;
  readonly total: number | null;
  readonly hits: readonly { readonly id: string; readonly cursor: readonly CursorValue[] }[];
  /** JSON lists that together hold all sources; several, so that the receiver can do other work in between. */
  readonly sources: readonly string[];
  readonly facets: readonly EncodedFacet[];
  readonly tookMs: number;
}

/** The names of an index and of the state of its columns. */
export interface IndexIdentity extends Pick<SearchReply, 'generation' | 'index'> {
  /** Named by its cursors. */
  readonly incarnation: string;
}

/**
 * Searches the columns in their current state.
 * @param names `generation` identifies that state, `incarnation` the index
 * @throws SearchStopped, DocumentGone when the store is ahead of the columns, TributaryError BAD_USER_INPUT
 */
export const searchReply = (
  columns: Columns,
  { generation, index, incarnation }: IndexIdentity,
  stored: DocumentSource,
  query: SearchQuery,
  running: SearchRun = uninterrupted,
): SearchReply => {
  const started = performance.now();
  const source = shownSource(stored, columns);
  const { hits } = query;
  const answer = search(
    columns,
    source,
    hits === undefined ? query : { ...query, hits: ownHits(hits, incarnation) },
    running,
  );
  return {
    generation,
    index,
    total: answer.total,
    hits: answer.page.map(({ ordinal, cursor }) => ({
      id: columns.idOf(ordinal),
      cursor: withIncarnation(cursor, incarnation),
    })),
    sources: sourcesTexts(columns, source, answer.page, query.hits?.source ?? null, running.checkpoint),
    facets: answer.facets.map((facet) => encodeFacet(facet, running.checkpoint)),
    tookMs: performance.now() - started,
  };
};

/** Documents as they may leave the engine. */
const shownSource = (stored: DocumentSource, { withoutExcluded }: Columns): DocumentSource => {
  if (withoutExcluded === null) return stored;
  const document: DocumentSource['document'] = (...request) => withoutExcluded(stored.document(...request));
  return { document, text: (number) => JSON.stringify(document(number, false)) };
};

const ownHits = (hits: HitsQuery, incarnation: string): HitsQuery => ({
  ...hits,
  searchAfter: hits.searchAfter && withoutIncarnation(hits.searchAfter, hits.sort.length, incarnation),
});

/**
 * A facet encoded for another thread. Receiving hundreds of bucket objects costs more time than counting them did, so
 * buckets are sent as JSON strings; in pieces, so that the receiver can do other work in between.
 */
export type EncodedFacet = Exclude<FacetResult, { buckets: unknown }> | EncodedBuckets;

interface EncodedBuckets {
  readonly kind: 'buckets';
  /** Everything except the buckets. */
  readonly result: Omit<Extract<FacetResult, { buckets: unknown }>, 'buckets'>;
  /** Each is a list of buckets. */
  readonly texts: readonly string[];
}

const bucketsPerText = 1_000;

/** Encodes a facet for sending. */
export const encodeFacet = (facet: FacetResult, checkpoint: Checkpoint): EncodedFacet => {
  if (!('buckets' in facet)) return facet;
  const { buckets, ...result } = facet;
  const texts: string[] = [];
  for (let from = 0; from < buckets.length; from += bucketsPerText) {
    checkpoint();
    texts.push(JSON.stringify(buckets.slice(from, from + bucketsPerText)));
  }
  return { kind: 'buckets', result, texts };
};

/** Decodes a facet. @throws the reason of the signal */
export const decodeFacet = async (sent: EncodedFacet, signal?: AbortSignal): Promise<FacetResult> => {
  if (sent.kind !== 'buckets') return sent;
  return { ...sent.result, buckets: await readLists(sent.texts, signal) } as FacetResult;
};

/** The items of JSON lists, letting other work run in between. @throws the reason of the signal */
export const readLists = async <Item>(
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Item[]> => {
  const lists: (readonly Item[])[] = [];
  for (const text of texts) {
    if (lists.length > 0) await yieldToEventLoop(signal);
    lists.push(JSON.parse(text) as readonly Item[]);
  }
  return lists.length === 1 ? lists[0]! : lists.flat();
};
