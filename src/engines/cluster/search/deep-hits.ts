import type { JsonValue, JsonObject } from '../../../json/json.ts';
import { isJsonObject } from '../../../json/json.ts';
import { hitsBody, nextStep, readHits } from '../dsl/hits.ts';
import type { Hit, HitsQuery, HitsResult } from '../../engine.ts';
import type { StepSearch } from './point-in-time.ts';
import { overPointInTime } from './point-in-time.ts';
import type { SearchContext } from './search-context.ts';
import { timeLeft } from './search-context.ts';
import { objectIn } from '../client/answer.ts';
import type { ServerFailure } from '../client/failure.ts';
import { succeeded } from '../client/failure.ts';

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

/** The default result window of an index (index.max_result_window). */
const defaultWindow = 10_000;

/** The smallest result window of the indexes in a settings response. */
export const windowOf = (indexes: JsonObject): number => {
  const windows = Object.values(indexes).flatMap((index) => {
    if (!isJsonObject(index)) return [];
    const set = Number(objectIn(objectIn(index, 'settings'), 'index')['max_result_window']);
    return [set > 0 ? set : defaultWindow];
  });
  return windows.length === 0 ? defaultWindow : Math.min(...windows);
};

/** The result window of the searched index; fetched from the server if unknown. @throws TributaryError */
export const cachedWindow = async (searching: SearchContext): Promise<number> =>
  searching.window ?? (await askWindow(searching));

const askWindow = async (searching: SearchContext): Promise<number> => {
  const what = `the settings of ${searching.index}`;
  const answer = await searching.client.send(
    { method: 'GET', path: `/${encodeURIComponent(searching.index)}/_settings` },
    { ...timeLeft(searching), repeatable: true, what },
  );
  return windowOf(succeeded(answer, what));
};

/** Whether a search failed because its page exceeds the result window. */
export const isPastWindow = ({ reason }: ServerFailure): boolean =>
  /result window is too large|max_result_window/i.test(reason);
