import { TributaryError } from '../../../lib/errors/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { Dialect } from '../dsl/hits.ts';
import type { SearchOptions } from '../../engine.ts';
import { answerBody, type ClusterClient } from '../client/client.ts';

/** The state of a running search: the request, the server, the deadline, and what has been learned so far. */
export interface SearchContext {
  readonly client: ClusterClient;
  readonly index: string;
  readonly dialect: Dialect;
  /** null when the server has none. */
  readonly pointInTime: PointInTimeCalls | null;
  /** The result window of the index; null if not fetched yet. */
  readonly window: number | null;
  /** The name of the index for its cursors; null if not fetched yet. */
  readonly incarnation: string | null;
  readonly options: SearchOptions;
  /** The deadline of all round trips together, on the clock of performance.now(). */
  readonly deadline: number;
  /** One round trip, possibly shared with other searches. */
  readonly send: SendSearches;
  readonly warnings: Set<string>;
}

/** @returns one response per body, in the same order */
export type SendSearches = (
  searching: SearchContext,
  bodies: readonly JsonObject[],
) => Promise<readonly JsonObject[]>;

/**
 * The options of the next round trip, with the time that is left.
 * @throws TributaryError ENGINE_TIMEOUT when there is no time left
 */
export const timeLeft = ({ options, deadline, index }: SearchContext): SearchOptions => {
  const timeoutMs = Math.ceil(deadline - performance.now());
  if (timeoutMs > 0) return { ...options, timeoutMs };
  throw new TributaryError('ENGINE_TIMEOUT', `the search of ${index} did not finish in time`);
};

/** Settings of the searched index now. @throws TributaryError */
export const settingsNow = (searching: SearchContext, path: string): Promise<JsonObject> => {
  const { client, index } = searching;
  const request = { method: 'GET', path: `/${encodeURIComponent(index)}/${path}` } as const;
  const what = `the settings of ${index}`;
  return answerBody(client, request, { ...timeLeft(searching), repeatable: true, what });
};

/** How to request a point in time, a view of an index that writes do not change. */
export interface PointInTimeCalls {
  readonly opening: (index: string) => string;
  /** The property of the open response that holds the id. */
  readonly idName: 'pit_id' | 'id';
  readonly closing: string;
  readonly closed: (id: string) => JsonObject;
}

/** As OpenSearch offers it. */
export const openSearchCalls: PointInTimeCalls = {
  opening: (index) => `/${encodeURIComponent(index)}/_search/point_in_time`,
  idName: 'pit_id',
  closing: '/_search/point_in_time',
  closed: (id) => ({ pit_id: [id] }),
};

/** As Elasticsearch offers it. */
export const elasticsearchCalls: PointInTimeCalls = {
  opening: (index) => `/${encodeURIComponent(index)}/_pit`,
  idName: 'id',
  closing: '/_pit',
  closed: (id) => ({ id }),
};
