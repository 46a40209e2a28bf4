import type { FacetQuery } from '../../engine.ts';
import type { BucketsResult } from '../../measure.ts';
import { calendarBetween, datesTooFar } from '../../semantics/calendar.ts';
import { requiredZone } from '../../semantics/time-zone.ts';
import type { Checkpoint } from '../columns/checkpoint.ts';
import type { NumberColumn } from '../columns/number-column.ts';
import type { FacetScope } from './facet-scope.ts';
import { forEachNumber, statsFacet } from './value-facets.ts';

/**
 * Calendar intervals without gaps; an object counts once per interval.
 * @throws TributaryError BAD_USER_INPUT for an unknown zone or more intervals than a histogram may have
 */
export const dateHistogramFacet = (
  { field, measure: { interval, timeZone } }: FacetQuery<'date_histogram'>,
  data: NumberColumn | null,
  scope: FacetScope,
  checkpoint: Checkpoint,
): BucketsResult<'date_histogram'> => {
  const zone = requiredZone(timeZone);
  const { min, max } = statsFacet(data, scope, checkpoint);
  if (min === null || max === null) return { kind: 'date_histogram', buckets: [] };
  const calendar = calendarBetween(min, max, interval, zone, checkpoint);
  if (calendar === null) throw datesTooFar(field.path, min, max);
  const counts = new Uint32Array(calendar.starts.length);
  const last = new Float64Array(counts.length).fill(-1);
  forEachNumber(data, scope.ids, checkpoint, (value, id) => {
    const bucket = calendar.indexOf(value);
    if (last[bucket] === id) return;
    last[bucket] = id;
    counts[bucket]!++;
  });
  return { kind: 'date_histogram', buckets: calendar.buckets(counts) };
};
