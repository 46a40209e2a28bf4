import { isJsonObject, type JsonObject } from '../../../json.ts';
import { objectIn } from '../dsl/answer.ts';
import { succeeded, type ServerFailure } from '../client/failure.ts';
import { timeLeft, type SearchContext } from './search-context.ts';

/** How deep servers give pages of an index that does not say so itself (index.max_result_window). */
export const defaultWindow = 10_000;

/** How deep pages go in all indexes of an answer with their settings. */
export const windowOf = (indexes: JsonObject): number => {
  const windows = Object.values(indexes).flatMap((index) => {
    if (!isJsonObject(index)) return [];
    const set = Number(objectIn(objectIn(index, 'settings'), 'index')['max_result_window']);
    return [set > 0 ? set : defaultWindow];
  });
  return windows.length === 0 ? defaultWindow : Math.min(...windows);
};

/** How deep pages of the searched index go; the server is asked when that is not known. @throws TributaryError */
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

/** Whether a search failed because its page goes deeper than the index gives at once. */
export const isPastWindow = ({ reason }: ServerFailure): boolean =>
  /result window is too large|max_result_window/i.test(reason);
