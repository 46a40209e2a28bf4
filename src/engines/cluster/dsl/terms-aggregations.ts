import type { IndexField } from '../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { FacetQuery } from '../../engine.ts';
import type { Measure } from '../../measure.ts';
import { badUserInput } from '../../../lib/errors/errors.ts';
import { filterQuery } from './filter/filter-query.ts';
import { containedExpression, maxExpressionLength } from './filter/folded-expression.ts';

export type TermsMeasure = Measure<'terms'>;

/** The default limit of buckets in one response (search.max_buckets). */
const maxBuckets = 65_535;
/** The minimum number of values requested where their count is needed: for a field with no more the count is exact. */
export const minShardSize = 1_000;

/** The aggregations that answer a list of values. */
export const termsAggregations = (facet: FacetQuery, measure: TermsMeasure): JsonObject => {
  const { size } = measure;
  const extras = bucketExtras(facet, measure);
  const requested = requestedBuckets(facet, measure);
  const include = included(facet, measure);
  const apart =
    size !== null &&
    size < requested &&
    (measure.matching === undefined || isMatchedThere(facet.field)) &&
    Object.keys(extras).length > 0;
  return {
    values: terms(facet, { size: requested, ...include }, apart ? {} : extras),
    ...(apart && { extras: terms(facet, { size, ...include }, extras) }),
    ...(measure.matching === undefined && measure.missing !== false && { missing: missing(facet) }),
  };
};

/** Only as many buckets as are shown, if the server truncates them as we would and their number is not requested. */
const requestedBuckets = ({ field }: FacetQuery, { size, distinct, matching }: TermsMeasure): number => {
  // non-matching ones are dropped here
  if (matching !== undefined && !isMatchedThere(field)) return maxBuckets;
  if (size === null || size >= maxBuckets) return maxBuckets;
  return distinct === false && isInKeyOrder(field) ? size : Math.max(size + 1, minShardSize);
};

/** On equal counts the server prefers smaller values, which are smaller keys for these types only. */
export const isInKeyOrder = ({ type }: IndexField): boolean =>
  type === 'keyword' || type === 'constant_keyword';

/** Servers can match keys of these types with a regular expression, but no others. */
export const isMatchedThere = ({ type }: IndexField): boolean =>
  type === 'keyword' || type === 'constant_keyword' || type === 'wildcard';

/** @throws TributaryError BAD_USER_INPUT for a text whose expression is longer than servers accept */
const included = ({ field }: FacetQuery, { matching }: TermsMeasure): JsonObject => {
  if (matching === undefined || !isMatchedThere(field)) return {};
  const include = `.*${containedExpression(matching)}.*`;
  if (include.length <= maxExpressionLength) return { include };
  throw badUserInput(
    `the text that values of ${field.path} must contain is too long for the search server: its spellings take ${include.length} characters, at most ${maxExpressionLength} fit`,
  );
};

/**
 * The values that an aggregation reads. OpenSearch takes the index's name for a constant_keyword's value, so the
 * constant is given as the missing value of a field that no document has.
 */
export const valuesAt = ({ path, constant }: IndexField): JsonObject =>
  constant === undefined ? { field: path } : { field: constantPath(path), missing: constant };

/** A field that no document has: the contents of a keyword. */
export const constantPath = (path: string): string => `${path}.constant`;

const missing = (facet: FacetQuery): JsonObject => ({
  missing: valuesAt(facet.field),
  ...(isNested(facet) && { aggs: { documents: documents(facet) } }),
});

/** @param limits `size` and, where the server's default is too low, `shard_size` */
export const terms = (facet: FacetQuery, limits: JsonObject, extras: JsonObject): JsonObject => {
  const aggregations = bucketAggregations(facet, extras);
  return {
    terms: {
      ...valuesAt(facet.field),
      ...limits,
      // by count, then by key, is the server's default
      ...(isNested(facet) && { order: [{ documents: 'desc' }, { _key: 'asc' }] }),
    },
    ...(Object.keys(aggregations).length > 0 && { aggs: aggregations }),
  };
};

/**
 * The facet again, with shards leaving out as little as possible; null if only paging through all buckets helps.
 * `missing` is not requested again.
 */
export const widerAggregations = (facet: FacetQuery, measure: TermsMeasure): JsonObject | null => {
  const { size } = measure;
  const extras = bucketExtras(facet, measure);
  if (size !== null && requestedBuckets(facet, measure) === size && !isNested(facet))
    return { values: terms(facet, { size, shard_size: maxBuckets, ...included(facet, measure) }, extras) };
  if (size === null || Object.keys(extras).length > 0) return null;
  return { values: terms(facet, { size: maxBuckets, ...included(facet, measure) }, {}) };
};

/** Sub-aggregations of each bucket; for nested facets they include the document count. */
const bucketAggregations = (facet: FacetQuery, { topHit, ...filtered }: JsonObject): JsonObject => ({
  ...(topHit !== undefined && { topHit }),
  ...(isNested(facet)
    ? {
        documents: {
          reverse_nested: {},
          ...(Object.keys(filtered).length > 0 && { aggs: filtered }),
        },
      }
    : filtered),
});

const bucketExtras = ({ field }: FacetQuery, { topHits, filters }: TermsMeasure): JsonObject => ({
  ...(topHits !== undefined &&
    topHits.size > 0 && {
      topHit: {
        top_hits: {
          size: 1,
          // nested objects are filtered here: servers differ in what their paths are relative to
          _source:
            topHits.source === null || field.nestedIn.length > 0 ? true : { includes: [...topHits.source] },
        },
      },
    }),
  ...Object.fromEntries(
    (filters ?? []).map((filter, index) => [`filter${index}`, { filter: filterQuery(filter) }]),
  ),
});

const isNested = ({ field }: Pick<FacetQuery, 'field'>): boolean => field.nestedIn.length > 0;

/** Counts the documents of the objects in scope. */
export const documents = (facet: Pick<FacetQuery, 'field'>): JsonObject =>
  isNested(facet) ? { reverse_nested: {} } : { filter: { match_all: {} } };

/** Buckets per page when paging through all of them. */
const compositePage = 10_000;
/** Pages that contain documents are kept smaller. */
const compositePageWithExtras = 1_000;

/**
 * One page of all buckets of a terms facet, exact on any number of shards.
 * @param after the `after_key` of the previous page, null for the first
 */
export const compositeAggregations = (
  facet: FacetQuery,
  measure: TermsMeasure,
  after: JsonObject | null,
): JsonObject => {
  const extras = bucketExtras(facet, measure);
  const aggregations = bucketAggregations(facet, extras);
  return {
    page: {
      composite: {
        size: Object.keys(extras).length > 0 ? compositePageWithExtras : compositePage,
        sources: [{ value: { terms: { field: facet.field.path } } }],
        ...(after !== null && { after }),
      },
      ...(Object.keys(aggregations).length > 0 && { aggs: aggregations }),
    },
  };
};
