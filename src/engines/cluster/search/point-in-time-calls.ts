import type { JsonObject } from '../../../json/json.ts';

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
