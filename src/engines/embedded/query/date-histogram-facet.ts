import type { FacetQuery } from '../../engine.ts';
import type { BucketsResult } from '../../measure.ts';
import { calendarBetween, datesTooFar } from '../../semantics/calendar.ts';
import { requiredZone } from '../../semantics/time-zone.ts';
import type { Checkpoint } from '../columns/checkpoint.ts';
import { NumberBlocks } from '../columns/number-blocks.ts';
import type { NumberColumn } from '../columns/number-column.ts';
import type { FacetScope } from './facet-scope.ts';
import { extentOf } from './value-facets.ts';

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
  const extent = extentOf(data, scope, checkpoint);
  if (extent === null) return { kind: 'date_histogram', buckets: [] };
  const { min, max } = extent;
  const calendar = calendarBetween(min, max, interval, zone, checkpoint);
  if (calendar === null) throw datesTooFar(field.path, min, max);
  const counts = new Uint32Array(calendar.starts.length);
  const last = new Float64Array(counts.length).fill(-1);
  const blocks = new NumberBlocks(data, scope.ids, checkpoint);
  while (blocks.next()) {
    const { values, ids, length } = blocks;
    for (let i = 0; i < length; i++) {
      const bucket = calendar.indexOf(values[i]!);
      if (last[bucket] === ids[i]!) continue;
      last[bucket] = ids[i]!;
      counts[bucket]!++;
    }
  }
  return { kind: 'date_histogram', buckets: calendar.buckets(counts) };
};
