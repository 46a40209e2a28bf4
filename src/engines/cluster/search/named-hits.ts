import { isJsonObject, objectIn, type JsonObject } from '../../../lib/json/json.ts';
import type { HitsQuery, SearchQuery, SearchResult } from '../../engine.ts';
import { startAgain } from '../../semantics/cursor.ts';
import {
  incarnationNamed,
  incarnationOf,
  withIncarnation,
  withoutIncarnation,
} from '../../semantics/incarnation.ts';
import { sortsByKey } from '../dsl/hits.ts';
import { settingsNow, type SearchContext } from './search-context.ts';

/**
 * Runs a search whose cursors name the indexes that they were made for, where tie-breaks mean something in these only.
 * A page after a cursor is checked once it was found: an index that was replaced does not come back.
 * @throws TributaryError BAD_USER_INPUT for a cursor of other indexes, and what the search throws
 */
export const withNamedCursors = async (
  searching: SearchContext,
  query: SearchQuery,
  search: (query: SearchQuery) => Promise<SearchResult>,
): Promise<SearchResult> => {
  const { hits } = query;
  if (sortsByKey(searching.dialect) || hits === undefined || hits.size === 0) return search(query);
  const incarnation =
    (isBehindTie(hits) ? incarnationNamed(hits.searchAfter?.at(-1)) : undefined) ??
    searching.incarnation ??
    (await incarnationNow(searching));
  const searchAfter = hits.searchAfter && withoutIncarnation(hits.searchAfter, hits.sort.length, incarnation);
  const result = await search({ ...query, hits: { ...hits, searchAfter } });
  if (isBehindTie(hits) && (await incarnationNow(searching)) !== incarnation)
    throw startAgain('was made before the index was replaced');
  const named = result.hits!.hits.map((hit) => ({
    ...hit,
    cursor: withIncarnation(hit.cursor, incarnation),
  }));
  return { ...result, hits: { ...result.hits!, hits: named } };
};

const isBehindTie = ({ searchAfter, sort }: HitsQuery): boolean => searchAfter?.length === sort.length + 1;

/** The name for cursors of the indexes in a response that has their settings. */
export const incarnationIn = (indexes: JsonObject): string => {
  const uuids = Object.values(indexes).flatMap((index) =>
    isJsonObject(index) ? [String(objectIn(objectIn(index, 'settings'), 'index')['uuid'])] : [],
  );
  return incarnationOf(uuids.sort().join(' '));
};

const incarnationNow = async (searching: SearchContext): Promise<string> =>
  incarnationIn(await settingsNow(searching, '_settings/index.uuid'));
