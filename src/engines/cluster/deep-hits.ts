import type { JsonObject } from '../../json.ts';
import type { CursorValue, Hit, HitsQuery, HitsResult } from '../engine.ts';
import { hitsBody } from '../dsl/hits-body.ts';
import { readHits } from '../dsl/read-hits.ts';
import { searchAll, whole, type Searching } from './multi-search.ts';

/** How deep servers give pages by default (index.max_result_window). */
const window = 10_000;

/** Whether a page reaches past what the server gives at once. */
export const isDeep = ({ offset, size }: HitsQuery): boolean => offset + size > window;

/** A page that the server does not give at once, walked to from hit to hit. */
export const deepHits = async (searching: Searching, query: HitsQuery): Promise<HitsResult> => {
  const hits: Hit[] = [];
  let total: number | null = null;
  let skip = query.offset;
  let cursor: readonly CursorValue[] | null = query.searchAfter;
  for (let first = true; skip > 0 || hits.length < query.size; first = false) {
    const size: number = Math.min(window, skip > 0 ? skip : query.size - hits.length);
    const step: HitsQuery = {
      ...query,
      offset: 0,
      size,
      searchAfter: cursor,
      source: skip > 0 ? [] : query.source,
      trackTotal: first && query.trackTotal,
    };
    const [answer]: readonly JsonObject[] = await searchAll(searching, [hitsBody(step, searching.dialect)]);
    const page = readHits(step, whole(searching, answer!), searching.dialect);
    if (first) total = page.total;
    if (skip > 0) skip -= page.hits.length;
    else hits.push(...page.hits);
    cursor = page.hits.at(-1)?.cursor ?? cursor;
    if (page.hits.length < size) break;
  }
  return { total, hits };
};
