import type { JsonValue } from '../../../json/json.ts';
import { hitsBody } from '../dsl/hits-body.ts';
import { nextStep, readHits } from '../dsl/read-hits.ts';
import type { Hit, HitsQuery, HitsResult } from '../../engine.ts';
import { cachedWindow, defaultWindow } from './index-window.ts';
import { overPointInTime, type StepSearch } from './point-in-time.ts';
import type { SearchContext } from './search-context.ts';

/** Whether a page reaches past the result window of the index. */
export const isDeep = ({ offset, size }: HitsQuery, window: number | null): boolean =>
  offset + size > (window ?? defaultWindow);

/** Fetches a page past the result window by paging to it over one point in time. */
export const deepHits = async (searching: SearchContext, query: HitsQuery): Promise<HitsResult> => {
  const window = await cachedWindow(searching);
  return overPointInTime(searching, (search) => walk(searching, window, query, search));
};

const walk = async (
  { dialect }: SearchContext,
  window: number,
  query: HitsQuery,
  search: StepSearch,
): Promise<HitsResult> => {
  const hits: Hit[] = [];
  let total: number | null = null;
  let skip = query.offset;
  let after: readonly JsonValue[] | null = null;
  for (let first = true; skip > 0 || hits.length < query.size; first = false) {
    const size: number = Math.min(window, skip > 0 ? skip : query.size - hits.length);
    const step: HitsQuery = {
      ...query,
      offset: 0,
      size,
      source: skip > 0 ? [] : query.source,
      trackTotal: first && query.trackTotal,
    };
    const answer = await search(hitsBody(step, dialect, after));
    const page = readHits(step, answer, dialect);
    if (first) total = page.total;
    if (skip > 0) skip -= page.hits.length;
    else hits.push(...page.hits);
    after = nextStep(query.sort, answer) ?? after;
    if (page.hits.length < size) break;
  }
  return { total, hits };
};
