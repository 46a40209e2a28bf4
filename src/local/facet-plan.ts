import type { FacetRequest } from './query.ts';

/** What an `aggregations` selection asks and where each answer goes; `as` is a response name throughout. */
export interface FacetPlan {
  readonly requests: readonly FacetRequest[];
  readonly parts: readonly FacetPart[];
}

export interface FacetPart {
  readonly as: string;
  readonly measures: readonly MeasurePart[];
}

/** `request` is the place of the answer among the plan's requests. */
export type MeasurePart =
  | { readonly kind: 'bucketCount' | 'cardinality' | 'stats'; readonly as: string; readonly request: number }
  | BucketsPart
  | {
      readonly kind: 'histogram' | 'range';
      readonly as: string;
      readonly request: number;
      readonly buckets: readonly PlainBucketsPart[];
    };

export interface BucketsPart extends PlainBucketsPart {
  readonly kind: 'buckets';
  readonly request: number;
}

export interface PlainBucketsPart {
  readonly as: string;
  /** At most so many are shown; the request may bring more for another alias. */
  readonly max: number | null;
  readonly bucket: readonly BucketPart[];
}

export type BucketPart =
  | { readonly kind: 'key' | 'keyAsString' | 'docCount'; readonly as: string }
  | { readonly kind: 'topHits'; readonly as: string; readonly request: number }
  /** `position` among the request's filters. */
  | { readonly kind: 'filtered'; readonly as: string; readonly position: number };

/** Collects requests, each distinct one once. */
export interface FacetRequests {
  readonly list: readonly FacetRequest[];
  /** Where in the list the request stands. */
  readonly add: (request: FacetRequest) => number;
}

/** An empty collection. Requests are equal when they ask the same of the same field. */
export const newFacetRequests = (): FacetRequests => {
  const list: FacetRequest[] = [];
  const places = new Map<string, number>();
  const add = (request: FacetRequest): number => {
    const key = JSON.stringify(request);
    const place = places.get(key) ?? list.push(request) - 1;
    places.set(key, place);
    return place;
  };
  return { list, add };
};
