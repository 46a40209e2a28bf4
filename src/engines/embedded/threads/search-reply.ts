import type { SearchQuery } from '../../engine.ts';
import type { Columns } from '../columns/columns.ts';
import type { SearchReply } from './messages.ts';
import { encodeFacet } from './encode-facet.ts';
import { uninterrupted, type SearchRun } from '../query/search-run.ts';
import { search, sourcesTexts, type DocumentSource } from '../query/search.ts';

/**
 * Searches the columns in their current state.
 * @param names identify that state: `state` within this process, `generation` across processes
 * @throws SearchStopped, DocumentGone when the store is ahead of the columns, TributaryError BAD_USER_INPUT
 */
export const searchReply = (
  columns: Columns,
  { state, generation }: Pick<SearchReply, 'state' | 'generation'>,
  source: DocumentSource,
  query: SearchQuery,
  running: SearchRun = uninterrupted,
): SearchReply => {
  const started = performance.now();
  const answer = search(columns, source, query, running);
  return {
    state,
    generation,
    total: answer.total,
    hits: answer.page.map(({ ordinal, cursor }) => ({ id: columns.idOf(ordinal), cursor })),
    sources: sourcesTexts(columns, source, answer.page, query.hits?.source ?? null, running.checkpoint),
    facets: answer.facets.map((facet) => facet && encodeFacet(facet, running.checkpoint)),
    tookMs: performance.now() - started,
  };
};
