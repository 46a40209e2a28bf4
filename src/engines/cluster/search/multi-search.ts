import { numberIn, objectIn, objectsIn, type JsonObject } from '../../../lib/json/json.ts';
import { badUserInput, TributaryError } from '../../../lib/errors/errors.ts';
import { cancelled } from '../../engine.ts';
import { answerBody } from '../client/client.ts';
import { failureOf, serverFailure, type ServerFailure } from '../client/failure.ts';
import { timeLeft, type SearchContext, type SendSearches } from './search-context.ts';
import { RequestCoalescer } from '../../../lib/net/request-coalescer.ts';
import { setImmediate as iterationEnd } from 'node:timers/promises';

/**
 * Batches searches of one group over one index, sent in the same iteration of the event loop, into one multi-search. Each
 * gets its own results, failed or not. Searches without a group are sent at once.
 * @param send sends one request
 */
export const batchSearches = (send: SendSearches): SendSearches => {
  // bounded by the requests in flight: a batch leaves with the iteration of the event loop that opened it
  const waiting = new WeakMap<object, Map<string, MsearchBatch>>();
  return async (searching, bodies) => {
    const { index, options } = searching;
    if (options.group === undefined) return send(searching, bodies);
    const batches = waiting.get(options.group) ?? new Map<string, MsearchBatch>();
    waiting.set(options.group, batches);
    const known = batches.get(index);
    if (known !== undefined && !canShareRequest(known.first, searching)) return send(searching, bodies);
    const batch = known ?? openBatch(send, searching, () => batches.delete(index));
    batches.set(index, batch);
    const from = batch.bodies.push(...bodies) - bodies.length;
    const answers = await batch.answers;
    return answers.slice(from, from + bodies.length);
  };
};

/** Searches sent together at the end of this iteration of the event loop. */
interface MsearchBatch {
  readonly first: SearchContext;
  readonly bodies: JsonObject[];
  readonly answers: Promise<readonly JsonObject[]>;
}

const openBatch = (send: SendSearches, first: SearchContext, onLeave: () => void): MsearchBatch => {
  const bodies: JsonObject[] = [];
  const leave = async (): Promise<readonly JsonObject[]> => {
    await iterationEnd();
    onLeave();
    return send(first, bodies);
  };
  return { first, bodies, answers: leave() };
};

/** A search with its own cancellation or deadline must not take others with it. */
const canShareRequest = ({ options }: SearchContext, other: SearchContext): boolean =>
  options.signal === other.options.signal && options.timeoutMs === other.options.timeoutMs;

/** Sends searches, and can stop running ones from being shared with later ones. */
export interface CoalescedSearches {
  readonly send: SendSearches;
  /** Called after a change of the data: later searches no longer share the results of running ones. */
  readonly forget: () => void;
}

/**
 * Sends a search only once while an equal one is running, for example when many users open a portal's start page at the
 * same time. The results are shared: read-only.
 */
export const coalescedSearches = (): CoalescedSearches => {
  const calls = new RequestCoalescer<readonly JsonObject[]>();
  return {
    send: (searching, bodies) => {
      const { index, options } = searching;
      const texts = bodies.map((body) => JSON.stringify(body));
      return calls.share(
        [index, options.timeoutMs, ...texts].join('\n'),
        options.signal,
        (signal, answered) =>
          multiSearch({ ...searching, options: { ...options, signal } }, texts).then(answered),
        cancelled,
        (answers) => answers,
      );
    },
    forget: () => calls.forget(),
  };
};

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
const multiSearch = async (
  searching: SearchContext,
  bodies: readonly string[],
): Promise<readonly JsonObject[]> => {
  const { client, index } = searching;
  const what = `the search of ${index}`;
  const path = `/${encodeURIComponent(index)}/_msearch`;
  const request = { method: 'POST', path, lines: bodies.flatMap((body) => ['{}', body]) } as const;
  const answer = await answerBody(client, request, { ...timeLeft(searching), repeatable: true, what });
  const responses = objectsIn(answer, 'responses');
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
    throw badUserInput(`the search server refused the search of ${index}: ${refused.reason}`);
};

const queryFaults: ReadonlySet<string> = new Set([
  'parse_exception',
  'parsing_exception',
  'query_shard_exception',
  'number_format_exception',
  'illegal_argument_exception',
]);
