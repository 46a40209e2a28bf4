import { isJsonObject, type JsonObject } from '../../../json/json.ts';
import { objectIn } from '../client/answer.ts';
import { succeeded, type ServerFailure } from '../client/failure.ts';
import { timeLeft, type SearchContext } from './search-context.ts';

/** The default result window of an index (index.max_result_window). */
export const defaultWindow = 10_000;

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
