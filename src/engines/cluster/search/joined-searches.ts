import { setImmediate as turnEnd } from 'node:timers/promises';
import type { JsonObject } from '../../../json.ts';
import type { Searching, SendSearches } from './searching.ts';

/** Searches that travel together once this turn of the event loop ends. */
interface Journey {
  readonly first: Searching;
  readonly bodies: JsonObject[];
  readonly answers: Promise<readonly JsonObject[]>;
}

/**
 * Puts searches of one group over one index, sent in the same turn of the event loop, into one multi-search. Each gets
 * its own answers, failed or not. Searches without a group go at once.
 * @param send one request
 */
export const joinedSearches = (send: SendSearches): SendSearches => {
  const waiting = new WeakMap<object, Map<string, Journey>>();
  return async (searching, bodies) => {
    const { index, options } = searching;
    if (options.group === undefined) return send(searching, bodies);
    const journeys = waiting.get(options.group) ?? new Map<string, Journey>();
    waiting.set(options.group, journeys);
    const known = journeys.get(index);
    if (known !== undefined && !endsAlike(known.first, searching)) return send(searching, bodies);
    const journey = known ?? begin(send, searching, () => journeys.delete(index));
    journeys.set(index, journey);
    const from = journey.bodies.push(...bodies) - bodies.length;
    const answers = await journey.answers;
    return answers.slice(from, from + bodies.length);
  };
};

const begin = (send: SendSearches, first: Searching, onLeave: () => void): Journey => {
  const bodies: JsonObject[] = [];
  const leave = async (): Promise<readonly JsonObject[]> => {
    await turnEnd();
    onLeave();
    return send(first, bodies);
  };
  return { first, bodies, answers: leave() };
};

/** One that may be cancelled or late alone must not take others with it. */
const endsAlike = ({ options }: Searching, other: Searching): boolean =>
  options.signal === other.options.signal && options.timeoutMs === other.options.timeoutMs;
