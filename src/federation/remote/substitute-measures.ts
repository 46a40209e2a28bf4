import type { CountedBucket, MeasureKind } from '../../engines/measure.ts';
import { calendarBetween, intervalMs } from '../../engines/semantics/calendar.ts';
import { requiredZone } from '../../engines/semantics/time-zone.ts';
import { badUserInput } from '../../errors/errors.ts';
import type { FailedFacet } from '../../search/nodes-answer.ts';
import type { CatalogueQuery, CatalogueResult, FacetMeasure, FacetRequest } from '../../search/query.ts';
import type { RemoteCatalogue } from './remote-catalogue.ts';

// the established server has no histograms of dates by calendar intervals: they are added up from those of hours or days

type DateMeasure = FacetMeasure<'date_histogram'>;
type Place = Pick<RemoteCatalogue, 'dialect' | 'fields'>;

/** Whether a node's measure is computed from another one. */
export const isGivenByAnother = ({ dialect, fields }: Place, path: string, kind: MeasureKind): boolean => {
  const field = fields.get(path);
  // for a list, a record would count once for each of its days in a month
  const isSummable = field?.kind === 'date' && !field.isArray && field.nestedIn.length === 0;
  return dialect === 'established' && kind === 'date_histogram' && isSummable;
};

/** Runs a query with the measures that a node lacks replaced by those that they are computed from. */
export const withSubstitutes = async (
  query: CatalogueQuery,
  remote: Place,
  search: (query: CatalogueQuery) => Promise<CatalogueResult>,
): Promise<CatalogueResult> => {
  const calendarOf = ({ field, measure }: FacetRequest): DateMeasure | null =>
    measure.kind === 'date_histogram' && isGivenByAnother(remote, field, measure.kind) ? measure : null;
  if (query.facets.every((facet) => calendarOf(facet) === null)) return search(query);
  const facets = query.facets.map((facet): FacetRequest => {
    const measure = calendarOf(facet);
    return measure === null ? facet : { ...facet, measure: { kind: 'histogram', interval: stepMs(measure) } };
  });
  const result = await search({ ...query, facets });
  return {
    ...result,
    facets: result.facets.map((answer, at) => {
      const measure = calendarOf(query.facets[at]!);
      return measure === null || answer.kind !== 'histogram' ? answer : byCalendar(answer.buckets, measure);
    }),
  };
};

const hourMs = intervalMs('hour');
const dayMs = intervalMs('day');

/** The longest intervals of equal width that calendar intervals consist of. */
const stepMs = ({ interval, timeZone }: DateMeasure): number => {
  const offset = requiredZone(timeZone).offsetAt(Date.now());
  if (timeZone === 'UTC' && interval !== 'hour') return dayMs;
  return [hourMs, hourMs / 2].find((step) => offset % step === 0) ?? hourMs / 4;
};

const byCalendar = (
  buckets: readonly CountedBucket[],
  measure: DateMeasure,
): CatalogueResult['facets'][number] => {
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
};

const failed = (reason: string): FailedFacet => ({ kind: 'failed', error: badUserInput(reason) });
