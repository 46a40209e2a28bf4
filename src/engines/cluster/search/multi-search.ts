import { TributaryError } from '../../../errors/errors.ts';
import type { JsonObject } from '../../../json/json.ts';
import { numberIn, objectIn, objectsIn } from '../client/answer.ts';
import { failureOf, serverFailure, succeeded, type ServerFailure } from '../client/failure.ts';
import { timeLeft, type SearchContext } from './search-context.ts';

/** Runs several searches in one round trip; with no searches nothing is sent. */
export const searchAll = async (
  searching: SearchContext,
  bodies: readonly JsonObject[],
): Promise<readonly JsonObject[]> => (bodies.length === 0 ? [] : searching.send(searching, bodies));

/**
 * Sends several searches as one multi-search.
 * @param bodies as JSON texts
 * @throws TributaryError when the request failed as a whole; a failed search is one of the responses
 */
export const multiSearch = async (
  searching: SearchContext,
  bodies: readonly string[],
): Promise<readonly JsonObject[]> => {
  const { client, index } = searching;
  const what = `the search of ${index}`;
  const answer = await client.send(
    {
      method: 'POST',
      path: `/${encodeURIComponent(index)}/_msearch`,
      lines: bodies.flatMap((body) => ['{}', body]),
    },
    { ...timeLeft(searching), repeatable: true, what },
  );
  const responses = objectsIn(succeeded(answer, what), 'responses');
  if (responses.length === bodies.length) return responses;
  throw new TributaryError(
    'ENGINE_ERROR',
    `the search server gave ${responses.length} answers to ${bodies.length} searches of ${index}`,
  );
};

/** Returns a successful response; missing shards become a warning. @throws TributaryError */
export const completeAnswer = ({ index, warnings }: SearchContext, answer: JsonObject): JsonObject => {
  if (answer['error'] !== undefined)
    throw failureOf(Number(answer['status'] ?? 500), answer['error'], `the search of ${index}`);
  const shards = objectIn(answer, '_shards');
  const failed = numberIn(shards, 'failed');
  if (failed > 0) {
    const failures = objectsIn(shards, 'failures').map((failure) => serverFailure(failure['reason']));
    rejectQuery(failures, index);
    const reasons = new Set(failures.flatMap(({ types }) => types.slice(0, 1)));
    const why = reasons.size > 0 ? ` (${[...reasons].join(', ')})` : '';
    warnings.add(
      `${failed} of ${numberIn(shards, 'total')} shards of ${index} failed${why}: their documents are missing here`,
    );
  }
  if (answer['timed_out'] === true)
    warnings.add(`the search of ${index} timed out: partial results are shown`);
  return answer;
};

/** Shards without documents accept what the others reject: then the query is at fault, not the shards. */
const rejectQuery = (failures: readonly ServerFailure[], index: string): void => {
  const refused = failures.find(({ types }) => types.some((type) => queryFaults.has(type)));
  if (refused !== undefined)
    throw new TributaryError(
      'BAD_USER_INPUT',
      `the search server refused the search of ${index}: ${refused.reason}`,
    );
};

const queryFaults: ReadonlySet<string> = new Set([
  'parse_exception',
  'parsing_exception',
  'query_shard_exception',
  'number_format_exception',
  'illegal_argument_exception',
]);
