import { setImmediate as iterationEnd } from 'node:timers/promises';
import type { JsonObject } from '../../../json/json.ts';
import type { SearchContext, SendSearches } from './search-context.ts';

/** Searches sent together at the end of this iteration of the event loop. */
interface MsearchBatch {
  readonly first: SearchContext;
  readonly bodies: JsonObject[];
  readonly answers: Promise<readonly JsonObject[]>;
}

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
