import { numberIn, objectIn, objectsIn, type JsonObject, type JsonValue } from '../../../lib/json/json.ts';
import { kindOf, type IndexField } from '../../../introspection/fields/field.ts';
import type { FacetQuery } from '../../engine.ts';
import type { TermsBucket, TermsResult, FacetResult, MeasureKind } from '../../measure.ts';
import { isInKeyOrder, isMatchedThere, type TermsMeasure } from './terms-aggregations.ts';
import { booleanLabel, isWhole, numberKey } from '../../semantics/bucket-key.ts';
import { filterSource } from '../../semantics/source-filter.ts';
import { keyContains, utf8Order } from '../../../lib/text/text-comparison.ts';

/** A facet's result, a further request it needs, or that its buckets must be paged through. */
export type FacetReading = CompleteReading | FurtherReading | Extract<TermsReading, { kind: 'incomplete' }>;

interface CompleteReading {
  readonly kind: 'complete';
  readonly result: FacetResult;
}

/** A further request that the first response showed to be necessary. */
export interface FurtherReading {
  readonly kind: 'further';
  readonly aggregations: JsonObject;
  /** Reads the responses to these, by the same names. */
  readonly read: (answers: JsonObject) => FacetResult;
}

/** A measure in the query DSL. */
export interface MeasureDsl<Kind extends MeasureKind> {
  /** The aggregations that answer it, under names local to the measure. @throws TributaryError BAD_USER_INPUT */
  readonly aggs: (facet: FacetQuery<Kind>) => JsonObject;
  /**
   * Reads the responses under the same names.
   * @param shards the number of shards searched: the result of a single shard is exact
   * @throws TributaryError BAD_USER_INPUT for more buckets than are allowed
   */
  readonly read: (facet: FacetQuery<Kind>, answers: JsonObject, shards: number) => FacetReading;
}

/** The result of a terms facet, or that its buckets must be paged through because one response cannot hold them. */
export type TermsReading =
  | { readonly kind: 'complete'; readonly result: TermsResult }
  | { readonly kind: 'incomplete'; readonly missing: number };

/** Reads a terms facet from the results of facetAggregations of `shards` shards. */
export const readTerms = (
  facet: FacetQuery,
  measure: TermsMeasure,
  answers: JsonObject,
  shards: number,
): TermsReading => {
  const values = objectIn(answers, 'values');
  const missing = documentsOf(objectIn(answers, 'missing'));
  const buckets = objectsIn(values, 'buckets').map(bucketReader(facet, measure));
  if (numberIn(values, 'sum_other_doc_count') > 0 && !isEnough(facet, measure, buckets, values, shards))
    return { kind: 'incomplete', missing };
  const result = termsResult(measure, buckets, missing);
  if (answers['extras'] === undefined) return { kind: 'complete', result };
  const extras = new Map(
    objectsIn(objectIn(answers, 'extras'), 'buckets')
      .map(bucketReader(facet, measure))
      .map((bucket) => [bucket.key, bucket]),
  );
  // ties can be cut off differently, and shards can miss a bucket
  if (result.buckets.some(({ key, count }) => extras.get(key)?.count !== count))
    return { kind: 'incomplete', missing };
  return {
    kind: 'complete',
    result: { ...result, buckets: result.buckets.map(({ key }) => extras.get(key)!) },
  };
};

/** Whether the omitted buckets affect neither the counts shown nor the choice of buckets. */
const isEnough = (
  { field }: FacetQuery,
  { size, distinct, matching }: TermsMeasure,
  buckets: readonly TermsBucket[],
  values: JsonObject,
  shards: number,
): boolean => {
  if (matching !== undefined && !isMatchedThere(field)) return false;
  if (distinct !== false || size === null || buckets.length < size) return false;
  if (!isInKeyOrder(field) && buckets[size - 1]!.count === buckets.at(-1)!.count) return false;
  // negative when the server cannot tell
  return shards === 1 || numberIn(values, 'doc_count_error_upper_bound') === 0;
};

/** The result from the complete list of buckets, in any order. */
export const termsResult = (
  measure: TermsMeasure,
  all: readonly TermsBucket[],
  missing: number,
): TermsResult => {
  const contains = keyContains(measure.matching ?? '');
  // a server that did the matching omitted nothing else
  const listed = measure.matching === undefined ? all : all.filter(({ key }) => contains(key));
  const ordered = [...listed].sort(
    (left, right) => right.count - left.count || utf8Order(left.key, right.key),
  );
  return {
    kind: 'terms',
    buckets: measure.size === null ? ordered : ordered.slice(0, measure.size),
    distinct: listed.length,
    missing: measure.matching === undefined ? missing : 0,
  };
};

/** One page of compositeAggregations, and the key after which the next one starts. */
export const readCompositePage = (
  facet: FacetQuery,
  measure: TermsMeasure,
  answers: JsonObject,
): { readonly buckets: readonly TermsBucket[]; readonly after: JsonObject | null } => {
  const page = objectIn(answers, 'page');
  const buckets = objectsIn(page, 'buckets');
  return {
    buckets: buckets
      .map((bucket) => ({ ...bucket, key: objectIn(bucket, 'key')['value'] }))
      .map(bucketReader(facet, measure)),
    after: buckets.length === 0 || page['after_key'] === undefined ? null : objectIn(page, 'after_key'),
  };
};

/** Most facets only need keys and counts, and there may be thousands of buckets. */
const bucketReader = (
  { field }: FacetQuery,
  { topHits, filters }: TermsMeasure,
): ((bucket: JsonObject) => TermsBucket) => {
  const isBoolean = kindOf(field.type) === 'boolean';
  const plain = (bucket: JsonObject): TermsBucket => ({
    key: bucketKey(field, bucket['key'] ?? null),
    count: documentsOf(bucket),
  });
  if (!isBoolean && topHits === undefined && filters === undefined) return plain;
  return (bucket) => {
    const read = plain(bucket);
    const counted = bucket['documents'] === undefined ? bucket : objectIn(bucket, 'documents');
    const [hit] = objectsIn(objectIn(objectIn(bucket, 'topHit'), 'hits'), 'hits');
    return {
      ...read,
      ...(isBoolean && { keyAsString: booleanLabel(read.key) }),
      ...(topHits !== undefined &&
        hit !== undefined && { topHit: filterSource(objectIn(hit, '_source'), topHits.source) }),
      ...(filters !== undefined && {
        filtered: filters.map((_, index) => numberIn(objectIn(counted, `filter${index}`), 'doc_count')),
      }),
    };
  };
};

const bucketKey = ({ type }: IndexField, key: JsonValue): string => {
  if (typeof key === 'string' && type === 'keyword') return key;
  if (kindOf(type) === 'boolean') return key === true || key === 1 || key === 'true' ? '1' : '0';
  return typeof key === 'number' ? numberKey(key, isWhole(type)) : String(key);
};

/** The number of documents an aggregation's objects belong to. */
export const documentsOf = (answer: JsonObject): number =>
  numberIn(answer['documents'] === undefined ? answer : objectIn(answer, 'documents'), 'doc_count');
