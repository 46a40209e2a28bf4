import { objectIn, isJsonObject, type JsonValue, type JsonObject } from '../../../lib/json/json.ts';
import { hitsBody, nextStep, readHits } from '../dsl/hits.ts';
import type { Hit, HitsQuery, HitsResult } from '../../engine.ts';
import { settingsNow, timeLeft, type SearchContext, type PointInTimeCalls } from './search-context.ts';
import { answerBody } from '../client/client.ts';
import { succeeded, serverFailure, type ServerFailure } from '../client/failure.ts';
import { searchAll, completeAnswer } from './multi-search.ts';

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
    // as arguments of one call, more than about 100 000 overflow the stack
    else for (const hit of page.hits) hits.push(hit);
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
  searching.window ?? windowOf(await settingsNow(searching, '_settings'));

/** Whether a search failed because its page exceeds the result window. */
export const isPastWindow = ({ reason }: ServerFailure): boolean =>
  /result window is too large|max_result_window/i.test(reason);

/** One of several searches that see the same documents. @throws TributaryError */
export type StepSearch = (body: JsonObject) => Promise<JsonObject>;

/** Longer than any step takes; servers drop a point in time that was not closed after this. */
const keepAlive = '1m';
const closingMs = 5_000;

/**
 * Runs several searches over one point in time, which is always closed afterwards. A server that has none or refuses
 * one is searched in its current state; if that takes more than one search, a warning is added.
 * @throws TributaryError errors of the searches
 */
export const overPointInTime = async <Result>(
  searching: SearchContext,
  run: (search: StepSearch) => Promise<Result>,
): Promise<Result> => {
  const calls = searching.pointInTime;
  const opened = calls === null ? null : await open(searching, calls);
  if (calls === null || opened === null) return run(overChangingIndex(searching));
  let id = opened;
  try {
    return await run(async (body) => {
      const answer = await step(searching, { ...body, pit: { id, keep_alive: keepAlive } });
      if (typeof answer['pit_id'] === 'string') id = answer['pit_id'];
      return answer;
    });
  } finally {
    await close(searching, calls, id);
  }
};

/** Searches that each see the current state of the index. */
const overChangingIndex = (searching: SearchContext): StepSearch => {
  let steps = 0;
  return (body) => {
    steps += 1;
    if (steps === 2)
      searching.warnings.add(
        `the search server gave no point in time over ${searching.index}: documents written while this page was assembled may be missing or appear twice`,
      );
    return plainStep(searching, body);
  };
};

/** A search of the current state of the index. */
export const plainStep: (searching: SearchContext, body: JsonObject) => Promise<JsonObject> = async (
  searching,
  body,
) => {
  const [answer] = await searchAll(searching, [body]);
  return completeAnswer(searching, answer!);
};

/** null when the server does not support or permit it. */
const open = async (searching: SearchContext, calls: PointInTimeCalls): Promise<string | null> => {
  const { client, index } = searching;
  const what = `a point in time over ${index}`;
  const answer = await client.send(
    { method: 'POST', path: calls.opening(index), query: { keep_alive: keepAlive } },
    { ...timeLeft(searching), repeatable: true, what },
  );
  const { status, body } = answer;
  const isMissing = serverFailure((body as JsonObject | null)?.['error']).types.includes(
    'index_not_found_exception',
  );
  if ([400, 403, 404, 405].includes(status) && !isMissing) return null;
  return String(succeeded(answer, what)[calls.idName]);
};

const step = async (searching: SearchContext, body: JsonObject): Promise<JsonObject> => {
  const what = `the search of ${searching.index}`;
  const request = { method: 'POST', path: '/_search', body } as const;
  const sending = { ...timeLeft(searching), repeatable: true, what };
  return completeAnswer(searching, await answerBody(searching.client, request, sending));
};

/** Ignores the caller's deadline and cancellation. Servers drop a point in time that could not be closed. */
const close = async (
  { client, index }: SearchContext,
  calls: PointInTimeCalls,
  id: string,
): Promise<void> => {
  const request = { method: 'DELETE', path: calls.closing, body: calls.closed(id) } as const;
  const what = `closing a point in time over ${index}`;
  await client.send(request, { repeatable: true, timeoutMs: closingMs, what }).catch(() => undefined);
};
