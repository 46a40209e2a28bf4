import type { FacetRequest } from '../../search/query.ts';
import type { SelectedField } from '../../graphql/selected-fields.ts';

/**
 * What an `aggregations` selection asks and where each answer goes, all that is selected in its order; `as` is a
 * response name throughout.
 */
export interface FacetPlan {
  readonly requests: readonly FacetRequest[];
  readonly parts: readonly (FacetPart | FixedPart)[];
}

export interface FacetPart {
  readonly kind: 'facet';
  readonly as: string;
  readonly measures: readonly MeasurePart[];
}

/** The same whatever is answered: `__typename`, and null for what such buckets do not have. */
export interface FixedPart {
  readonly kind: 'fixed';
  readonly as: string;
  readonly value: string | null;
}

/** `request` is the place of the answer among the plan's requests. */
export type MeasurePart =
  | FixedPart
  | { readonly kind: 'bucketCount' | 'cardinality'; readonly as: string; readonly request: number }
  | {
      readonly kind: 'stats';
      readonly as: string;
      readonly request: number;
      readonly stats: readonly (StatsPart | FixedPart)[];
    }
  | BucketsPart
  | {
      readonly kind: 'histogram' | 'range';
      readonly as: string;
      readonly request: number;
      readonly shown: readonly (PlainBucketsPart | FixedPart)[];
    };

export interface StatsPart {
  readonly kind: 'min' | 'max' | 'count' | 'avg' | 'sum';
  readonly as: string;
}

export interface BucketsPart extends Omit<PlainBucketsPart, 'kind'> {
  readonly kind: 'buckets';
  readonly request: number;
}

export interface PlainBucketsPart {
  readonly kind: 'plainBuckets';
  readonly as: string;
  /** At most so many are shown; the request may bring more for another alias. */
  readonly max: number | null;
  readonly bucket: readonly BucketPart[];
}

export type BucketPart =
  | FixedPart
  | { readonly kind: 'key' | 'keyAsString' | 'docCount'; readonly as: string }
  | { readonly kind: 'topHits'; readonly as: string; readonly request: number }
  /** `position` among the request's filters. */
  | { readonly kind: 'filtered'; readonly as: string; readonly position: number };

/** The part of a field that no answer is needed for. */
export const fixedPart = ({ name, responseName, typeName }: SelectedField): FixedPart => ({
  kind: 'fixed',
  as: responseName,
  value: name === '__typename' ? typeName : null,
});

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
