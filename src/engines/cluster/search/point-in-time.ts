import type { JsonObject } from '../../../json/json.ts';
import { serverFailure, succeeded } from '../client/failure.ts';
import { searchAll, completeAnswer } from './multi-search.ts';
import type { PointInTimeCalls, SearchContext } from './search-context.ts';
import { timeLeft } from './search-context.ts';

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
  const answer = await searching.client.send(request, { ...timeLeft(searching), repeatable: true, what });
  return completeAnswer(searching, succeeded(answer, what));
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
