import type { FacetResult, TermsBucket } from '../../engines/engine.ts';

/**
 * Whether the types of the schema can say every value of some facets as it is. Otherwise the executor must look at
 * each, and refuse those it cannot say with an error at their path: a count past 32 bits, a sum that is not finite.
 */
export const facetsFitTypes = (results: readonly FacetResult[]): boolean => results.every(fits);

const fits = (result: FacetResult): boolean => {
  switch (result.kind) {
    case 'terms':
      // the bucket for missing values is counted as one more
      return isInt(result.distinct + 1) && isInt(result.missing) && result.buckets.every(bucketFits);
    case 'stats': {
      const { count, min, max, sum, avg } = result;
      return isInt(count) && [min, max, sum, avg].every((value) => value === null || Number.isFinite(value));
    }
    case 'histogram':
    case 'range':
      return result.buckets.every(bucketFits);
    case 'cardinality':
      return isInt(result.value);
  }
};

const bucketFits = ({ key, keyAsString, count }: TermsBucket): boolean =>
  isInt(count) && typeof key === 'string' && (keyAsString === undefined || typeof keyAsString === 'string');

/** An integer of 32 bits, as GraphQL's Int. */
const isInt = (value: number): boolean => value === (value | 0);
