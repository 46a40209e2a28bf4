import type { CountedBucket, FacetResult, LogCount, MeasureKind } from '../../engines/measure.ts';
import { calendarBetween, intervalMs } from '../../engines/semantics/calendar.ts';
import { boundsOf, type Sign } from '../../engines/semantics/log-counts.ts';
import { requiredZone } from '../../engines/semantics/time-zone.ts';
import { badUserInput } from '../../errors/errors.ts';
import { measureRow } from '../../facets/measures.ts';
import { aggregationName, type Field } from '../../introspection/fields/field.ts';
import type { FailedFacet } from '../../search/nodes-answer.ts';
import type { CatalogueQuery, CatalogueResult, FacetMeasure } from '../../search/query.ts';
import type { RemoteCatalogue } from './remote-catalogue.ts';

/**
 * Computes measures that the established server lacks from others: dates by calendar intervals from histograms of hours or
 * days, percentiles of whole numbers from ranges with whole ends.
 */
interface Substitute<Kind extends MeasureKind, Other extends MeasureKind> {
  readonly by: Other;
  readonly fits: (field: Field) => boolean;
  readonly requests: (measure: FacetMeasure<Kind>) => readonly FacetMeasure<Other>[];
  readonly read: (
    buckets: readonly CountedBucket[],
    measure: FacetMeasure<Kind>,
    field: Field,
  ) => FacetResult<Kind> | FailedFacet;
}

const failed = (reason: string): FailedFacet => ({
  kind: 'failed',
  error: badUserInput(reason),
});

type DateMeasure = FacetMeasure<'date_histogram'>;

const hourMs = intervalMs('hour');
const dayMs = intervalMs('day');

/** The longest intervals of equal width that calendar intervals consist of. */
const stepMs = ({ interval, timeZone }: DateMeasure): number => {
  const offset = requiredZone(timeZone).offsetAt(Date.now());
  if (timeZone === 'UTC' && interval !== 'hour') return dayMs;
  return [hourMs, hourMs / 2].find((step) => offset % step === 0) ?? hourMs / 4;
};

const dates: Substitute<'date_histogram', 'histogram'> = {
  by: 'histogram',
  // for a list, a record would count once for each of its days in a month
  fits: ({ kind, isArray, nestedIn }) => kind === 'date' && !isArray && nestedIn.length === 0,
  requests: (measure) => [{ kind: 'histogram', interval: stepMs(measure) }],
  read: (buckets, measure) => {
    const counted = buckets
      .filter(({ count }) => count > 0)
      .map(({ key, count }) => ({ at: Number(key), count }));
    const [first, last] = [counted[0]?.at, counted.at(-1)?.at];
    if (first === undefined || last === undefined) return { kind: 'date_histogram', buckets: [] };
    const step = stepMs(measure);
    const calendar = calendarBetween(first, last + step, measure.interval, requiredZone(measure.timeZone));
    if (calendar === null) return failed(`it has dates too far apart for intervals of a ${measure.interval}`);
    const counts = new Float64Array(calendar.starts.length);
    for (const { at, count } of counted) {
      const index = calendar.indexOf(at);
      if (index !== calendar.indexOf(at + step - 1))
        return failed(
          `it counts dates by ${step / hourMs} hours, which do not fit those of ${measure.timeZone}`,
        );
      counts[index]! += count;
    }
    return { kind: 'date_histogram', buckets: calendar.buckets(counts) };
  },
};

/** Range ends are limited to 32-bit integers. */
const most = 2 ** 31 - 1;

interface WholeBucket {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** The buckets between powers of gamma that hold whole numbers, with the whole numbers in each. */
const wholeBuckets = (sign: Sign): readonly WholeBucket[] => {
  const found: WholeBucket[] = [];
  for (let index = -1; ; index += 1) {
    const [from, to] = boundsOf(sign, index, 1).map(Math.ceil) as [number, number];
    if (Math.max(-from, to) > most) return found;
    if (from < to && from !== 0) found.push({ key: `${sign} ${index}`, from: from + 0, to: to + 0 });
  }
};

/** The values beyond all other ranges, which cannot be distinguished. */
const beyond = 'beyond';

/** In two lists, as each may be limited to 1 000. */
const wholeRanges = (): readonly FacetMeasure<'range'>['ranges'][] => {
  const [negative, positive] = [wholeBuckets('negative'), wholeBuckets('positive')];
  return [
    [{ key: beyond, to: negative.at(-1)!.from }, ...negative.toReversed(), { key: 'zero', from: 0, to: 1 }],
    [...positive, { key: beyond, from: positive.at(-1)!.to }],
  ];
};

const wholeTypes: ReadonlySet<string> = new Set(['byte', 'short', 'integer', 'long']);

const percentiles: Substitute<'percentiles', 'range'> = {
  by: 'range',
  fits: ({ type }) => wholeTypes.has(type),
  requests: () => wholeRanges().map((ranges) => ({ kind: 'range', ranges })),
  read: (buckets, _measure, { path }) => {
    if (buckets.some(({ key, count }) => key === beyond && count > 0))
      return failed(`it has values of ${path} beyond 2 000 000 000, for which it takes no ranges`);
    return {
      kind: 'percentiles',
      level: 0,
      zero: buckets.find(({ key }) => key === 'zero')?.count ?? 0,
      positive: logCounts('positive', buckets),
      negative: logCounts('negative', buckets),
    };
  },
};

const logCounts = (sign: Sign, buckets: readonly CountedBucket[]): readonly LogCount[] =>
  buckets
    .filter(({ key, count }) => count > 0 && key.startsWith(sign))
    .map(({ key, count }): LogCount => [Number(key.slice(sign.length + 1)), count])
    .sort(([left], [right]) => left - right);

const substitutes = { date_histogram: dates, percentiles };

type Substituted = keyof typeof substitutes;

const isSubstituted = (kind: MeasureKind): kind is Substituted => Object.hasOwn(substitutes, kind);

/** The field of a measure that a node lacks and another can replace; null for all others. */
const substitutedAt = (
  { fields, aggregations }: Pick<RemoteCatalogue, 'fields' | 'aggregations'>,
  path: string,
  kind: MeasureKind,
): Field | null => {
  if (!isSubstituted(kind)) return null;
  const [field, offered] = [fields.get(path), aggregations.get(aggregationName(path))?.fields];
  const has = (one: MeasureKind): boolean => offered?.has(measureRow(one).remoteField) === true;
  const { fits, by } = substitutes[kind];
  return field !== undefined && !has(kind) && has(by) && fits(field) ? field : null;
};

/** Whether a node's measure is computed from another one. */
export const isGivenByAnother = (...place: Parameters<typeof substitutedAt>): boolean =>
  substitutedAt(...place) !== null;

/** Runs a query with the measures that a node lacks replaced by their substitutes. */
export const withSubstitutes = async (
  query: CatalogueQuery,
  remote: Pick<RemoteCatalogue, 'fields' | 'aggregations'>,
  search: (query: CatalogueQuery) => Promise<CatalogueResult>,
): Promise<CatalogueResult> => {
  const fields = query.facets.map(({ field, measure }) => substitutedAt(remote, field, measure.kind));
  if (fields.every((field) => field === null)) return search(query);
  const sent = query.facets.map((facet, at) =>
    fields[at] === null ? [facet] : requested(facet.measure).map((measure) => ({ ...facet, measure })),
  );
  const result = await search({ ...query, facets: sent.flat() });
  let read = 0;
  return {
    ...result,
    facets: sent.map(({ length }, at) => {
      const answers = result.facets.slice(read, (read += length));
      const field = fields[at];
      return field == null ? answers[0]! : readAs(query.facets[at]!.measure, answers, field);
    }),
  };
};

const requested = (measure: FacetMeasure): readonly FacetMeasure[] => {
  if (measure.kind === 'date_histogram') return dates.requests(measure);
  return measure.kind === 'percentiles' ? percentiles.requests(measure) : [];
};

const readAs = (
  measure: FacetMeasure,
  answers: CatalogueResult['facets'],
  field: Field,
): CatalogueResult['facets'][number] => {
  const unanswered = answers.find(({ kind }) => kind === 'failed');
  if (unanswered !== undefined) return unanswered;
  const buckets = answers.flatMap((one) =>
    one.kind === 'histogram' || one.kind === 'range' ? one.buckets : [],
  );
  if (measure.kind === 'percentiles') return percentiles.read(buckets, measure, field);
  return measure.kind === 'date_histogram' ? dates.read(buckets, measure, field) : answers[0]!;
};
