import { TributaryError } from '../../errors.ts';
import { kindOf } from '../../introspection/field.ts';
import type { JsonObject } from '../../json.ts';
import type { FacetQuery, Measure } from '../engine.ts';
import { scopedAggregations } from './facet-scope.ts';
import { filterQuery } from './filter-query.ts';

export type TermsMeasure = Extract<Measure, { kind: 'terms' }>;

/** As many buckets as servers give in one answer by default (search.max_buckets). */
export const mostBuckets = 65_535;
/** So many values are asked for at least: when a field has no more, their number is known for sure. */
const leastAsked = 1_000;
/** Below so many values servers estimate their number as well as they can. */
const cardinalityThreshold = 40_000;

/**
 * The aggregations that answer a facet, under `name`.
 * @throws TributaryError BAD_USER_INPUT for a text field, a measure its field cannot have, an interval not above 0
 */
export const facetAggregations = (name: string, facet: FacetQuery): JsonObject => {
  refuseMeasure(facet);
  return scopedAggregations(
    name,
    facet,
    hasValues(facet) ? measured(facet) : { documents: documents(facet) },
  );
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
  const apart = size !== null && size < leastAsked && Object.keys(extras).length > 0;
  const asked = size === null ? mostBuckets : Math.min(Math.max(size + 1, leastAsked), mostBuckets);
  return {
    values: terms(facet, asked, apart ? {} : extras),
    ...(apart && { extras: terms(facet, size, extras) }),
    missing: {
      missing: { field: facet.field.path },
      ...(isNested(facet) && { aggs: { documents: documents(facet) } }),
    },
  };
};

const terms = (facet: FacetQuery, size: number, extras: JsonObject): JsonObject => {
  const aggregations = bucketAggregations(facet, extras);
  return {
    terms: {
      field: facet.field.path,
      size,
      order: [isNested(facet) ? { documents: 'desc' } : { _count: 'desc' }, { _key: 'asc' }],
    },
    ...(Object.keys(aggregations).length > 0 && { aggs: aggregations }),
  };
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
  name: string,
  facet: FacetQuery,
  measure: TermsMeasure,
  after: JsonObject | null,
): JsonObject => {
  const extras = bucketExtras(facet, measure);
  const aggregations = bucketAggregations(facet, extras);
  return scopedAggregations(name, facet, {
    page: {
      composite: {
        size: Object.keys(extras).length > 0 ? compositePageWithExtras : compositePage,
        sources: [{ value: { terms: { field: facet.field.path } } }],
        ...(after !== null && { after }),
      },
      ...(Object.keys(aggregations).length > 0 && { aggs: aggregations }),
    },
  });
};
