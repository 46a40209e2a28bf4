import { TributaryError } from '../../../errors.ts';
import { kindOf, type IndexField } from '../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../json.ts';
import type { FacetQuery, Measure } from '../../engine.ts';
import { filterQuery } from './filter-query.ts';

export type TermsMeasure = Extract<Measure, { kind: 'terms' }>;

/** As many buckets as servers give in one answer by default (search.max_buckets). */
const mostBuckets = 65_535;
/** So many values are asked for at least where their number is needed: a field with no more is known for sure. */
const leastAsked = 1_000;
/** Below so many values servers estimate their number as well as they can. */
const cardinalityThreshold = 40_000;

/**
 * The aggregations that answer a facet, on what it looks at.
 * @throws TributaryError BAD_USER_INPUT for a text field, a measure its field cannot have, an interval not above 0
 */
export const facetAggregations = (facet: FacetQuery): JsonObject => {
  refuseMeasure(facet);
  return hasValues(facet) ? measured(facet) : { documents: documents(facet) };
};

/** Objects have no values of their own: every object looked at lacks one. */
export const hasValues = ({ field }: FacetQuery): boolean =>
  !['object', 'nested', 'json'].includes(kindOf(field.type));

const refuseMeasure = ({ field, measure }: FacetQuery): void => {
  const kind = kindOf(field.type);
  if (kind === 'text' || field.path === '_id')
    throw new TributaryError(
      'BAD_USER_INPUT',
      `field ${field.path} is of type ${field.type}, which cannot be aggregated`,
    );
  if (measure.kind === 'terms' || measure.kind === 'cardinality' || kind === 'number' || kind === 'date')
    return;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `field ${field.path} is of type ${field.type}, which has no ${measure.kind}`,
  );
};

const measured = (facet: FacetQuery): JsonObject => {
  const { field, measure } = facet;
  switch (measure.kind) {
    case 'terms':
      return termsAggregations(facet, measure);
    case 'stats':
      return { stats: { stats: { field: field.path } } };
    case 'histogram':
      return { buckets: histogram(facet, measure.interval, measure.offset ?? 0) };
    case 'range':
      // servers refuse to be asked for none
      if (measure.ranges.length === 0) return {};
      // servers sort the ranges, so each is named by its place
      return {
        buckets: {
          range: {
            field: field.path,
            ranges: measure.ranges.map(({ from, to }, place) => ({ key: String(place), from, to })),
          },
        },
      };
    case 'cardinality':
      return {
        values: { terms: { field: field.path, size: leastAsked } },
        distinct: { cardinality: { field: field.path, precision_threshold: cardinalityThreshold } },
      };
  }
};

/** Empty buckets are filled in here: a server would count them against its limit. */
const histogram = ({ field }: FacetQuery, interval: number, offset: number): JsonObject => {
  if (!(interval > 0) || !Number.isFinite(interval))
    throw new TributaryError(
      'BAD_USER_INPUT',
      `histogram of ${field.path} has interval ${interval}, it must be above 0`,
    );
  return { histogram: { field: field.path, interval, offset, min_doc_count: 1 } };
};

const termsAggregations = (facet: FacetQuery, measure: TermsMeasure): JsonObject => {
  const { size } = measure;
  const extras = bucketExtras(facet, measure);
  const asked = bucketsAsked(facet, measure);
  const apart = size !== null && size < asked && Object.keys(extras).length > 0;
  return {
    values: terms(facet, { size: asked }, apart ? {} : extras),
    ...(apart && { extras: terms(facet, { size }, extras) }),
    ...(measure.missing !== false && { missing: missing(facet) }),
  };
};

/** As many buckets as are shown do where the server cuts them as we would and nobody asks how many there are. */
const bucketsAsked = ({ field }: FacetQuery, { size, distinct }: TermsMeasure): number => {
  if (size === null || size >= mostBuckets) return mostBuckets;
  return distinct === false && isInKeyOrder(field) ? size : Math.max(size + 1, leastAsked);
};

/** Of equal counts the server prefers lesser values, which are lesser keys for these types only. */
export const isInKeyOrder = ({ type }: IndexField): boolean =>
  type === 'keyword' || type === 'constant_keyword';

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
    return { values: terms(facet, { size, shard_size: mostBuckets }, extras) };
  if (size === null || Object.keys(extras).length > 0) return null;
  return { values: terms(facet, { size: mostBuckets }, {}) };
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

const isNested = ({ field }: FacetQuery): boolean => field.nestedIn.length > 0;

/** Counts the documents of what is looked at. */
const documents = (facet: FacetQuery): JsonObject =>
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
