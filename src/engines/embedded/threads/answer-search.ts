import type { HitsQuery, SearchQuery } from '../../engine.ts';
import type { FacetResult } from '../../measure.ts';
import { withIncarnation, withoutIncarnation } from '../../semantics/incarnation.ts';
import type { Columns } from '../columns/columns.ts';
import { uninterrupted, type SearchRun, type Checkpoint } from '../columns/search-run.ts';
import { search, sourcesTexts, type DocumentSource } from '../query/search.ts';
import type { EncodedFacet, IndexIdentity, SearchReply } from './messages.ts';

/**
 * Searches the columns in their current state.
 * @param names `generation` identifies that state, `incarnation` the index
 * @throws SearchStopped, DocumentGone when the store is ahead of the columns, TributaryError BAD_USER_INPUT
 */
export const searchReply = (
  columns: Columns,
  { generation, lastWriteMs, index, incarnation }: IndexIdentity,
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
    lastWriteMs,
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
