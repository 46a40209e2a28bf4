import { isIntegerType, kindOf } from '../../../src/introspection/fields/field.ts';
import { objectFilter, type FacetQuery } from '../../../src/engines/engine.ts';
import type { Filter } from '../../../src/sqon/filter.ts';
import type { FacetResult, Measure, TermsBucket } from '../../../src/engines/measure.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { compareNumbers, shownWhole } from '../../../src/lib/json/json.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { dateHistogram } from './date-histogram.ts';
import { logCounts } from './log-counts.ts';
import { fold } from '../../../src/lib/text/fold.ts';
import { satisfies, type Judged } from './judge.ts';
import { keepPaths } from './source.ts';
import { nestedAbove, objectsAt, propertyAt, valuesIn, type Value } from './values.ts';

/** A looked-at object, the document it belongs to, and the field's values in it. */
interface Looked {
  readonly document: Judged;
  readonly object: JsonObject;
  readonly values: readonly Value[];
}

/** One facet over all documents. */
export const facetOf = (
  properties: JsonObject,
  documents: readonly Judged[],
  facet: FacetQuery,
): FacetResult => {
  const { path } = facet.field;
  const kind = kindOf(String((propertyAt(properties, path) ?? { type: facet.field.type })['type']));
  if (kind === 'text') throw new TributaryError('BAD_USER_INPUT', 'text cannot be aggregated');
  const looked = documents
    .filter((document) => satisfies(properties, facet.filter, document))
    .flatMap((document) => lookedAt(properties, document, facet));
  const { measure } = facet;
  if (measure.kind === 'terms') {
    const fractional = kind === 'number' && !isIntegerType(String(propertyAt(properties, path)?.['type']));
    return terms(properties, looked, measure, kind === 'boolean', fractional);
  }
  if (measure.kind === 'cardinality') {
    return { kind: 'cardinality', value: new Set(looked.flatMap(({ values }) => values)).size, exact: true };
  }
  if (measure.kind === 'groups') {
    const buckets = measure.sets.map(({ key, members }) => ({
      key,
      count: documentsOf(
        looked.filter(({ document, object }) => {
          const values = members.map((at) => measure.values[at]!);
          const judged = { id: document.id, object, path: facet.field.nestedIn.at(-1) ?? '' };
          return satisfies(properties, { kind: 'terms', field: facet.field, values }, judged);
        }),
      ),
    }));
    return { kind: 'groups', buckets };
  }
  if (kind === 'keyword' || kind === 'boolean' || (measure.kind === 'date_histogram' && kind !== 'date'))
    throw new TributaryError('BAD_USER_INPUT', 'no numbers');
  if ((measure.kind === 'percentiles' || measure.kind === 'survival') && kind === 'date')
    throw new TributaryError('BAD_USER_INPUT', `a date has no ${measure.kind}`);
  if (measure.kind === 'survival') return survival(properties, looked, measure.filters);
  return numeric(looked, measure);
};

const lookedAt = (properties: JsonObject, document: Judged, facet: FacetQuery): readonly Looked[] => {
  const { path } = facet.field;
  const levels = facet.field.nestedIn;
  let judged: readonly Judged[] = [document];
  for (const level of levels) {
    judged = judged
      .flatMap((above) =>
        objectsAt(above.object, above.path, level).map((object) => ({
          id: document.id,
          object,
          path: level,
        })),
      )
      .filter((candidate) => satisfies(properties, objectFilter(facet, level), candidate));
  }
  return judged.map(({ object, path: at, id }) => ({
    document,
    object,
    values:
      path === '_id'
        ? [id]
        : nestedAbove(properties, path) === at
          ? valuesIn(properties, object, at, path)
          : [],
  }));
};

type TermsMeasure = Extract<Measure, { kind: 'terms' }>;

const terms = (
  properties: JsonObject,
  looked: readonly Looked[],
  { size, matching, topHits, filters }: TermsMeasure,
  boolean: boolean,
  fractional: boolean,
): FacetResult => {
  const buckets = new Map<string, Looked[]>();
  for (const one of looked) {
    for (const value of new Set(one.values)) {
      const key = keyOf(value, fractional);
      buckets.set(key, [...(buckets.get(key) ?? []), one]);
    }
  }
  const found = [...buckets].filter(([key]) => matching === undefined || fold(key).includes(matching));
  const all = found.map(([key, members]): TermsBucket => ({
    key,
    ...(boolean && { keyAsString: key === '1' ? 'true' : 'false' }),
    count: documentsOf(members),
    ...(topHits && topHits.size > 0 && { topHit: keepPaths(members[0]!.object, topHits.source) }),
    ...(filters && {
      filtered: filters.map((filter) =>
        documentsOf(members.filter(({ document }) => satisfies(properties, filter, document))),
      ),
    }),
  }));
  all.sort((a, b) => b.count - a.count || Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  return {
    kind: 'terms',
    buckets: all.slice(0, size ?? all.length),
    distinct: all.length,
    missing: matching === undefined ? documentsOf(looked.filter(({ values }) => values.length === 0)) : 0,
  };
};

/** Fractions show a decimal point. */
const keyOf = (value: Value, fractional: boolean): string => {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return fractional && /^-?\d+$/.test(String(value)) ? `${String(value)}.0` : String(value);
};

const documentsOf = (looked: readonly Looked[]): number =>
  new Set(looked.map(({ document }) => document)).size;

/** A document counts once at each of its times, of a list in nested objects too. */
const survival = (
  properties: JsonObject,
  looked: readonly Looked[],
  [dead, known]: readonly Filter[],
): FacetResult => {
  const at = new Map<number, Set<Judged>>();
  for (const { document, values } of looked)
    for (const time of values.map(Number)) at.set(time, (at.get(time) ?? new Set()).add(document));
  const count = (documents: Iterable<Judged>, ...filters: readonly (Filter | undefined)[]): number =>
    [...documents].filter((one) => filters.every((filter) => satisfies(properties, filter!, one))).length;
  const [negative, counted] = [true, false].map((isBelow) =>
    [...at].filter(([time]) => time < 0 === isBelow).sort(([one], [other]) => one - other),
  );
  const times = counted!.map(([time, documents]) => {
    const events = count(documents, dead);
    return { time, events, censored: count(documents, known) - events };
  });
  return {
    kind: 'survival',
    times: times.filter(({ events, censored }) => events + censored > 0),
    noTime: documentsOf(looked.filter(({ values }) => values.length === 0)),
    negativeTime: negative!.reduce((sum, [, documents]) => sum + documents.size, 0),
    noEvent: counted!.reduce((sum, [, documents]) => sum + documents.size - count(documents, known), 0),
  };
};

const numeric = (
  looked: readonly Looked[],
  measure: Exclude<Measure, { kind: 'terms' | 'cardinality' | 'groups' | 'survival' }>,
): FacetResult => {
  const lists = looked.map(({ values }) => values.map(Number));
  const values = lists.flat();
  // whole numbers beyond 2^53 are kept as digits
  const exact = looked.map((one) =>
    one.values.map((value) => (typeof value === 'bigint' ? shownWhole(value) : Number(value))),
  );
  if (measure.kind === 'stats') {
    if (values.length === 0) return { kind: 'stats', count: 0, min: null, max: null, sum: null, avg: null };
    const sum = values.reduce((total, value) => total + value, 0);
    return {
      kind: 'stats',
      count: values.length,
      min: exact.flat().toSorted(compareNumbers)[0]!,
      max: exact.flat().toSorted(compareNumbers).at(-1)!,
      sum,
      avg: sum / values.length,
    };
  }
  if (measure.kind === 'range') {
    const buckets = measure.ranges.map(({ key, from = -Infinity, to = Infinity }) => ({
      key,
      count: exact.filter((list) =>
        list.some((value) => compareNumbers(value, from) >= 0 && compareNumbers(value, to) < 0),
      ).length,
    }));
    return { kind: 'range', buckets };
  }
  if (measure.kind === 'date_histogram') return dateHistogram(lists, measure);
  if (measure.kind === 'percentiles') return logCounts(lists);
  const { interval, offset = 0 } = measure;
  if (!(interval > 0)) throw new TributaryError('BAD_USER_INPUT', 'interval must be above 0');
  if (values.length === 0) return { kind: 'histogram', buckets: [] };
  const step = (value: number) => Math.floor((value - offset) / interval);
  const first = step(Math.min(...values));
  const length = step(Math.max(...values)) - first + 1;
  if (length > 65_536) throw new TributaryError('BAD_USER_INPUT', 'too many buckets');
  return {
    kind: 'histogram',
    buckets: Array.from({ length }, (_, i) => ({
      key: String((first + i) * interval + offset),
      count: lists.filter((list) => list.some((value) => step(value) === first + i)).length,
    })),
  };
};
