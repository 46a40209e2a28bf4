import { TributaryError } from '../../../errors.ts';
import type { JsonObject } from '../../../json.ts';
import type { Dialect } from '../dsl/dialect.ts';
import type { SearchOptions } from '../../engine.ts';
import type { ClusterClient } from '../client/client.ts';
import type { PointInTimeCalls } from './point-in-time-calls.ts';

/** One search of a query as it goes on: what it asks, whom, until when, and what was found out. */
export interface SearchContext {
  readonly client: ClusterClient;
  readonly index: string;
  readonly dialect: Dialect;
  /** null when the server has none. */
  readonly pointInTime: PointInTimeCalls | null;
  /** How deep the index gives pages at once; null when nobody has asked it yet. */
  readonly window: number | null;
  readonly options: SearchOptions;
  /** When all round trips together must be done, by performance.now(). */
  readonly deadline: number;
  /** One round trip, maybe together with other searches. */
  readonly send: SendSearches;
  readonly warnings: Set<string>;
}

/** @returns one answer for each body, in that order */
export type SendSearches = (
  searching: SearchContext,
  bodies: readonly JsonObject[],
) => Promise<readonly JsonObject[]>;

/**
 * What the next round trip of a search may take.
 * @throws TributaryError ENGINE_TIMEOUT when there is no time left for it
 */
export const timeLeft = ({ options, deadline, index }: SearchContext): SearchOptions => {
  const timeoutMs = Math.ceil(deadline - performance.now());
  if (timeoutMs > 0) return { ...options, timeoutMs };
  throw new TributaryError('ENGINE_TIMEOUT', `the search of ${index} did not finish in time`);
};
