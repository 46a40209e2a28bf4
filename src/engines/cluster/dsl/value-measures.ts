import {
  isJsonObject,
  numberIn,
  objectIn,
  objectsIn,
  shownDigits,
  type JsonObject,
} from '../../../lib/json/json.ts';
import { objectFilter, type FacetQuery } from '../../engine.ts';
import type { BucketsResult, FacetResult, GroupSet, MeasureKind, RangeBucketQuery } from '../../measure.ts';
import {
  intervalKey,
  isWhole,
  assertInterval,
  histogramTooFine,
  maxHistogramBuckets,
} from '../../semantics/bucket-key.ts';
import { isWideType } from '../../../introspection/fields/field.ts';
import type { MeasureDsl } from './read-terms.ts';
import { and, nested, type Filter } from '../../../sqon/filter.ts';
import { filterQuery } from './filter/filter-query.ts';
import { documents, minShardSize, terms, valuesAt } from './terms-aggregations.ts';
import { calendarBetween, datesTooFar } from '../../semantics/calendar.ts';
import { requiredZone } from '../../semantics/time-zone.ts';

/** A measure in the query DSL that a single search answers: its aggregations, under local names, and their results. */
export interface WholeMeasure<Kind extends MeasureKind> {
  /** @throws TributaryError BAD_USER_INPUT for meaningless parameters */
  readonly aggs: (facet: FacetQuery<Kind>) => JsonObject;
  /** @throws TributaryError BAD_USER_INPUT for more buckets than are allowed */
  readonly read: (facet: FacetQuery<Kind>, answers: JsonObject) => FacetResult<Kind>;
}

/**
 * Count, minimum, maximum, sum and average, by the aggregation `stats`. It rounds whole numbers beyond 2^53: their
 * extremes are requested again, as values.
 */
export const stats: MeasureDsl<'stats'> = {
  aggs: ({ field }) => ({ stats: { stats: { field: field.path } } }),
  read: ({ field }, answers) => {
    const stats = objectIn(answers, 'stats');
    const count = numberIn(stats, 'count');
    const none = { kind: 'stats', count, min: null, max: null, sum: null, avg: null } as const;
    if (count === 0) return { kind: 'complete', result: none };
    const [min, max] = [numberIn(stats, 'min'), numberIn(stats, 'max')];
    const result = {
      kind: 'stats',
      count,
      min,
      max,
      sum: numberIn(stats, 'sum'),
      avg: numberIn(stats, 'avg'),
    } as const;
    if (!isWideType(field.type) || [min, max].every(Number.isSafeInteger))
      return { kind: 'complete', result };
    return {
      kind: 'further',
      aggregations: { min: firstValue(field.path, 'asc'), max: firstValue(field.path, 'desc') },
      read: (extremes) => ({
        ...result,
        min: keyIn(extremes, 'min') ?? min,
        max: keyIn(extremes, 'max') ?? max,
      }),
    };
  },
};

const firstValue = (field: string, order: 'asc' | 'desc'): JsonObject => ({
  terms: { field, size: 1, order: { _key: order } },
});

const keyIn = (answers: JsonObject, name: string): number | string | null => {
  const key = objectsIn(objectIn(answers, name), 'buckets')[0]?.['key'];
  if (typeof key === 'string') return shownDigits(key);
  return typeof key === 'number' ? key : null;
};

/** Empty buckets are filled in here: a server would count them against its limit. */
export const histogram: WholeMeasure<'histogram'> = {
  aggs: ({ field, measure: { interval, offset = 0 } }) => {
    assertInterval(field.path, interval);
    return { buckets: { histogram: { field: field.path, interval, offset, min_doc_count: 1 } } };
  },
  read: (facet, answers) => readHistogram(facet, answers),
};

const readHistogram = (
  { field, measure: { interval, offset = 0 } }: FacetQuery<'histogram'>,
  answers: JsonObject,
): BucketsResult<'histogram'> => {
  const step = (key: number): number => Math.round((key - offset) / interval);
  const counts = new Map(
    objectsIn(objectIn(answers, 'buckets'), 'buckets').map((bucket) => [
      step(numberIn(bucket, 'key')),
      numberIn(bucket, 'doc_count'),
    ]),
  );
  if (counts.size === 0) return { kind: 'histogram', buckets: [] };
  const steps = [...counts.keys()];
  const first = steps[0]!;
  const length = steps.at(-1)! - first + 1;
  const whole = isWhole(field.type);
  if (!(length <= maxHistogramBuckets)) throw histogramTooFine(field.path, field.type, length * interval);
  return {
    kind: 'histogram',
    buckets: Array.from({ length }, (_, index) => ({
      key: intervalKey((first + index) * interval + offset, whole),
      count: counts.get(first + index) ?? 0,
    })),
  };
};

/** Servers sort the ranges, so each is named by its position. */
export const range: WholeMeasure<'range'> = {
  aggs: ({ field, measure: { ranges } }) =>
    // servers reject an empty list
    ranges.length === 0
      ? {}
      : ranges.some(({ from, to }) => typeof from === 'string' || typeof to === 'string')
        ? { buckets: { filters: { filters: exactRanges(field.path, ranges) } } }
        : {
            buckets: {
              range: {
                field: field.path,
                ranges: ranges.map(({ from, to }, index) => ({ key: String(index), from, to })),
              },
            },
          },
  read: ({ measure: { ranges } }, answers) => {
    const { buckets } = objectIn(answers, 'buckets');
    const counted = isJsonObject(buckets)
      ? Object.entries(buckets as Readonly<Record<string, JsonObject>>)
      : objectsIn(objectIn(answers, 'buckets'), 'buckets').map(
          (bucket) => [String(bucket['key']), bucket] as const,
        );
    const counts = new Map(counted.map(([key, bucket]) => [key, numberIn(bucket, 'doc_count')]));
    return {
      kind: 'range',
      buckets: ranges.map(({ key }, index) => ({ key, count: counts.get(String(index)) ?? 0 })),
    };
  },
};

/** Servers round the ends of ranges in aggregations to doubles, but not in queries. */
const exactRanges = (path: string, ranges: readonly RangeBucketQuery[]): JsonObject =>
  Object.fromEntries(
    ranges.map(({ from, to }, index) => [String(index), { range: { [path]: { gte: from, lt: to } } }]),
  );

/** The threshold up to which servers count most precisely, at its maximum. */
const cardinalityThreshold = 40_000;

/** Exact if all values fit into one response, otherwise the server's estimate. */
export const cardinality: WholeMeasure<'cardinality'> = {
  aggs: ({ field }) => ({
    values: { terms: { ...valuesAt(field), size: minShardSize } },
    distinct: { cardinality: { ...valuesAt(field), precision_threshold: cardinalityThreshold } },
  }),
  read: (_facet, answers) => {
    const values = objectIn(answers, 'values');
    if (numberIn(values, 'sum_other_doc_count') === 0)
      return { kind: 'cardinality', value: objectsIn(values, 'buckets').length, exact: true };
    return { kind: 'cardinality', value: numberIn(objectIn(answers, 'distinct'), 'value'), exact: false };
  },
};

/** Empty buckets are filled in here, as for a histogram. */
export const dateHistogram: WholeMeasure<'date_histogram'> = {
  aggs: ({ field, measure: { interval, timeZone } }) => ({
    buckets: {
      date_histogram: {
        field: field.path,
        calendar_interval: interval,
        time_zone: requiredZone(timeZone).name,
        min_doc_count: 1,
      },
    },
  }),
  read: ({ field, measure: { interval, timeZone } }, answers) => {
    const buckets = objectsIn(objectIn(answers, 'buckets'), 'buckets');
    if (buckets.length === 0) return { kind: 'date_histogram', buckets: [] };
    const first = numberIn(buckets[0]!, 'key');
    const last = numberIn(buckets.at(-1)!, 'key');
    const calendar = calendarBetween(first, last, interval, requiredZone(timeZone));
    if (calendar === null) throw datesTooFar(field.path, first, last);
    const counts = new Float64Array(calendar.starts.length);
    for (const bucket of buckets)
      counts[calendar.indexOf(numberIn(bucket, 'key'))]! += numberIn(bucket, 'doc_count');
    return { kind: 'date_histogram', buckets: calendar.buckets(counts) };
  },
};

/**
 * Sets of one value are buckets. All others are separate searches, see setSearches; where these would be too many or
 * too long, one filter each, against which every document is tested.
 */
export const groups: WholeMeasure<'groups'> = {
  aggs: (facet) => {
    const { field, measure } = facet;
    const sets = countedSets(facet);
    const filters = (areSearched(facet, sets) ? [] : sets).map(
      ({ set, filter }) => [String(set), filterQuery(filter)] as const,
    );
    const include = [...new Set(measure.sets.flatMap((set) => singleValue(facet, set) ?? []))];
    const isNested = field.nestedIn.length > 0;
    return {
      ...(filters.length > 0 && {
        sets: {
          filters: { filters: Object.fromEntries(filters) },
          ...(isNested && { aggs: { documents: documents(facet) } }),
        },
      }),
      ...(include.length > 0 && { values: terms(facet, { size: include.length, include }, {}) }),
    };
  },
  read: (facet, answers) => {
    const isNested = facet.field.nestedIn.length > 0;
    const countOf = (bucket: JsonObject): number =>
      numberIn(isNested ? objectIn(bucket, 'documents') : bucket, 'doc_count');
    const buckets = answers['sets'] === undefined ? {} : objectIn(objectIn(answers, 'sets'), 'buckets');
    const values = answers['values'] === undefined ? [] : objectsIn(objectIn(answers, 'values'), 'buckets');
    const counts = new Map(values.map((bucket) => [bucket['key'], countOf(bucket)]));
    return {
      kind: 'groups',
      buckets: facet.measure.sets.map((set, index) => {
        const bucket = buckets[String(index)];
        return {
          key: set.key,
          count: isJsonObject(bucket) ? countOf(bucket) : (counts.get(singleValue(facet, set)) ?? 0),
        };
      }),
    };
  },
};

/** A set of a facet by its position, and which documents or objects have a value of it. */
interface CountedSet {
  readonly set: number;
  readonly filter: Filter;
}

/** The sets that are not buckets. */
const countedSets = (facet: FacetQuery<'groups'>): readonly CountedSet[] =>
  facet.measure.sets.flatMap((members, set) => {
    if (members.members.length === 0 || singleValue(facet, members) !== null) return [];
    const values = members.members.map((at) => facet.measure.values[at]!);
    return [{ set, filter: { kind: 'terms', field: facet.field, values } }];
  });

/** The most characters that a facet's filter takes in the searches for all of its sets together. */
const maxRepeated = 4_000_000;

/** The most searches of one facet: a wide level is one aggregation, since each search has a base cost. */
const maxSearches = 100;

/** The searches whose totals are the counts of sets: they read the postings of the values instead of each document. */
export const setSearches = ({ measure, ...facet }: FacetQuery): readonly CountedSet[] => {
  if (measure.kind !== 'groups') return [];
  const { field, filter } = facet;
  const sets = countedSets({ ...facet, measure });
  if (!areSearched(facet, sets)) return [];
  const documentsWith = (restriction: Filter): Filter =>
    field.nestedIn.reduceRight(
      (below, path) => nested(path, and([objectFilter(facet, path), below])),
      restriction,
    );
  return sets.map((set) => ({ ...set, filter: and([filter, documentsWith(set.filter)]) }));
};

/** Whether sets are separate searches: there are few, and their filter is not too long to repeat. */
const areSearched = (
  { filter, objects }: Pick<FacetQuery, 'filter' | 'objects'>,
  sets: readonly CountedSet[],
): boolean => {
  if (sets.length === 0 || sets.length > maxSearches) return false;
  const repeated = filterQuery(and([filter, ...Object.values(objects)]));
  return sets.length * JSON.stringify(repeated).length <= maxRepeated;
};

/** The only value of a set, where its bucket has the same key on servers; null: the set is not a bucket. */
const singleValue = ({ field, measure }: FacetQuery<'groups'>, { members }: GroupSet): string | null =>
  members.length === 1 && field.type === 'keyword' && field.normalized !== true
    ? String(measure.values[members[0]!])
    : null;
