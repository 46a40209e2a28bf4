import type { IndexField } from '../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../json.ts';
import type { FacetQuery } from '../../engine.ts';
import type { Measure } from '../../measure.ts';
import { TributaryError } from '../../../errors.ts';
import { filterQuery } from './filter-query.ts';
import { containedExpression, maxExpressionLength } from './folded-expression.ts';

export type TermsMeasure = Measure<'terms'>;

/** As many buckets as servers give in one answer by default (search.max_buckets). */
const maxBuckets = 65_535;
/** So many values are asked for at least where their number is needed: a field with no more is known for sure. */
export const minShardSize = 1_000;

/** The aggregations that answer a list of values. */
export const termsAggregations = (facet: FacetQuery, measure: TermsMeasure): JsonObject => {
  const { size } = measure;
  const extras = bucketExtras(facet, measure);
  const asked = bucketsAsked(facet, measure);
  const include = included(facet, measure);
  const apart =
    size !== null &&
    size < asked &&
    (measure.matching === undefined || isMatchedThere(facet.field)) &&
    Object.keys(extras).length > 0;
  return {
    values: terms(facet, { size: asked, ...include }, apart ? {} : extras),
    ...(apart && { extras: terms(facet, { size, ...include }, extras) }),
    ...(measure.matching === undefined && measure.missing !== false && { missing: missing(facet) }),
  };
};

/** As many buckets as are shown do where the server cuts them as we would and nobody asks how many there are. */
const bucketsAsked = ({ field }: FacetQuery, { size, distinct, matching }: TermsMeasure): number => {
  // the others are left out here
  if (matching !== undefined && !isMatchedThere(field)) return maxBuckets;
  if (size === null || size >= maxBuckets) return maxBuckets;
  return distinct === false && isInKeyOrder(field) ? size : Math.max(size + 1, minShardSize);
};

/** Of equal counts the server prefers lesser values, which are lesser keys for these types only. */
export const isInKeyOrder = ({ type }: IndexField): boolean =>
  type === 'keyword' || type === 'constant_keyword';

/** Servers match keys of these types by an expression, of others none. */
export const isMatchedThere = ({ type }: IndexField): boolean =>
  type === 'keyword' || type === 'constant_keyword' || type === 'wildcard';

/** @throws TributaryError BAD_USER_INPUT for a text whose expression is longer than servers take */
const included = ({ field }: FacetQuery, { matching }: TermsMeasure): JsonObject => {
  if (matching === undefined || !isMatchedThere(field)) return {};
  const include = `.*${containedExpression(matching)}.*`;
  if (include.length <= maxExpressionLength) return { include };
  throw new TributaryError(
    'BAD_USER_INPUT',
    `the text that values of ${field.path} must contain is too long for the search server: its spellings take ${include.length} characters, at most ${maxExpressionLength} fit`,
  );
};

const missing = (facet: FacetQuery): JsonObject => ({
  missing: { field: facet.field.path },
  ...(isNested(facet) && { aggs: { documents: documents(facet) } }),
});

/** @param limits `size` and, where the server's own choice does not do, `shard_size` */
const terms = (facet: FacetQuery, limits: JsonObject, extras: JsonObject): JsonObject => {
  const aggregations = bucketAggregations(facet, extras);
  return {
    terms: {
      field: facet.field.path,
      ...limits,
      // by count, then by key is what servers do anyway
      ...(isNested(facet) && { order: [{ documents: 'desc' }, { _key: 'asc' }] }),
    },
    ...(Object.keys(aggregations).length > 0 && { aggs: aggregations }),
  };
};

/**
 * The same facet asked so that shards leave out as little as they can; null when nothing but walking through all
 * buckets helps. What is `missing` is not asked again.
 */
export const widerAggregations = (facet: FacetQuery, measure: TermsMeasure): JsonObject | null => {
  const { size } = measure;
  const extras = bucketExtras(facet, measure);
  if (size !== null && bucketsAsked(facet, measure) === size && !isNested(facet))
    return { values: terms(facet, { size, shard_size: maxBuckets, ...included(facet, measure) }, extras) };
  if (size === null || Object.keys(extras).length > 0) return null;
  return { values: terms(facet, { size: maxBuckets, ...included(facet, measure) }, {}) };
};

/** What is counted in each bucket besides its objects: of nested ones their documents. */
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
          // a nested object is cut here: servers differ in what its paths are relative to
          _source:
            topHits.source === null || field.nestedIn.length > 0 ? true : { includes: [...topHits.source] },
        },
      },
    }),
  ...Object.fromEntries(
    (filters ?? []).map((filter, place) => [`filter${place}`, { filter: filterQuery(filter) }]),
  ),
});

const isNested = ({ field }: Pick<FacetQuery, 'field'>): boolean => field.nestedIn.length > 0;

/** Counts the documents of what is looked at. */
export const documents = (facet: Pick<FacetQuery, 'field'>): JsonObject =>
  isNested(facet) ? { reverse_nested: {} } : { filter: { match_all: {} } };

/** Buckets of one page when all are walked through. */
const compositePage = 10_000;
/** Pages with documents in them are kept smaller. */
const compositePageWithExtras = 1_000;

/**
 * One page of all buckets of a terms facet, exact on any number of shards.
 * @param after the `after_key` of the page before, null for the first
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
