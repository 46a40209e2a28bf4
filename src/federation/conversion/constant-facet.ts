import type { CountedBucket, LogCountsResult } from '../../engines/measure.ts';
import { booleanLabel, intervalKey, isWhole, numberKey } from '../../engines/semantics/bucket-key.ts';
import { eventTable } from '../../engines/semantics/event-table.ts';
import { logIndex } from '../../engines/semantics/log-counts.ts';
import { keyContains } from '../../lib/text/text-comparison.ts';
import { existsIn, lowerOf, type Count } from '../../search/count.ts';
import type { BucketAnswer, FacetAnswer } from '../../search/nodes-answer.ts';
import type { JsonValue } from '../../lib/json/json.ts';
import type { FacetMeasure } from '../../search/query.ts';
import type { Constant } from './converted-filter.ts';

/** The records counted by a facet on a constant: all of them have its value. */
export interface CountedRecords {
  readonly count: Count;
  /** One of the records, if requested. */
  readonly topHit?: JsonValue | undefined;
  /** How many records satisfy each of the measure's filters. */
  readonly filtered?: readonly number[] | undefined;
}

/** The answer to a facet on a constant. */
export const constantFacet = (
  measure: FacetMeasure,
  { field, value }: Constant,
  records: CountedRecords,
): FacetAnswer => {
  const isNone = existsIn(records.count) === false;
  const least = lowerOf(records.count);
  const number = Number(value);
  const bucket = (key: string): BucketAnswer => ({ key, count: records.count });
  switch (measure.kind) {
    case 'terms': {
      const isListed = measure.matching === undefined || keyContains(measure.matching)(String(value));
      const buckets =
        isNone || !isListed ? [] : [{ ...bucket(keyOf(value)), ...labelOf(value), ...bucketParts(records) }];
      return { kind: 'terms', buckets, distinct: buckets.length, missing: 0 };
    }
    case 'stats':
      return isNone
        ? { kind: 'stats', count: 0, min: null, max: null, sum: null, avg: null }
        : {
            kind: 'stats',
            count: least,
            min: number,
            max: number,
            sum: number * least,
            avg: number,
          };
    case 'histogram': {
      const key = intervalKey(Math.floor(number / measure.interval) * measure.interval, isWhole(field.type));
      return { kind: 'histogram', buckets: isNone ? [] : [bucket(key)] };
    }
    case 'range':
      return {
        kind: 'range',
        buckets: measure.ranges.map(({ key, from = -Infinity, to = Infinity }): BucketAnswer =>
          number >= Number(from) && number < Number(to) ? bucket(key) : { key, count: 0 },
        ),
      };
    case 'cardinality':
      return { kind: 'cardinality', value: isNone ? 0 : 1, exact: true };
    case 'percentiles':
      return logCountsOf(number, least);
    case 'groups':
      return {
        kind: 'groups',
        buckets: measure.sets.map(({ key, values = [] }) =>
          values.includes(String(value)) ? bucket(key) : { key, count: 0 },
        ),
      };
    case 'survival':
      return eventTable(
        { field },
        { buckets: [{ key: String(number), count: least, ...bucketParts(records) }], missing: 0 },
      );
    case 'date_histogram':
      return { kind: 'date_histogram', buckets: [] };
  }
};

const keyOf = (value: Constant['value']): string => {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'number' ? numberKey(value, Number.isInteger(value)) : value;
};

const labelOf = (value: Constant['value']): Pick<CountedBucket, 'keyAsString'> =>
  typeof value === 'boolean' ? { keyAsString: booleanLabel(keyOf(value)) } : {};

const bucketParts = ({ topHit, filtered }: CountedRecords) => ({
  ...(topHit !== undefined && { topHit }),
  ...(filtered && { filtered }),
});

const logCountsOf = (number: number, count: number): LogCountsResult => {
  const counted = count === 0 || number === 0 ? [] : [[logIndex(number), count] as const];
  return {
    kind: 'percentiles',
    level: 0,
    zero: number === 0 ? count : 0,
    positive: number > 0 ? counted : [],
    negative: number < 0 ? counted : [],
  };
};
