import { TributaryError } from '../../../../errors/errors.ts';
import { parseDate } from '../../../../introspection/dates/dates.ts';
import { kindOf, type IndexField } from '../../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../../json/json.ts';
import type { Filter, RangeBound } from '../../../../sqon/filter.ts';
import { keyQuery } from './key-query.ts';
import { utf8Order } from '../../../semantics/utf8-order.ts';

type Range = Extract<Filter, { kind: 'range' }>;
type BoundName = 'gt' | 'gte' | 'lt' | 'lte';

/**
 * A range as a query clause. Of two bounds on the same side the stricter one applies: a server would silently pick one.
 * @throws TributaryError BAD_USER_INPUT for a range of keys, and for text that is not a date next to bounds in epoch
 *   milliseconds
 */
export const rangeQuery = (filter: Range): JsonObject => {
  const { field, gt, gte, lt, lte } = filter;
  if (field.path === '_id') return keyQuery(filter);
  const bounds = [
    ...stricter(field, ['gt', gt], ['gte', gte], 1),
    ...stricter(field, ['lt', lt], ['lte', lte], -1),
  ];
  const epoch = kindOf(field.type) === 'date' && bounds.some(([, bound]) => typeof bound === 'number');
  const shown = epoch ? instants(bounds.map(epochBound)) : Object.fromEntries(bounds);
  return { range: { [field.path]: shown } };
};

/**
 * Bounds in milliseconds, which mean the same whatever the mapping's format. Elasticsearch 7 does not accept negative
 * ones, so dates before 1970 are written out.
 */
const instants = (bounds: readonly (readonly [BoundName, number])[]): JsonObject =>
  bounds.every(([, ms]) => ms >= 0)
    ? { ...Object.fromEntries(bounds), format: 'epoch_millis' }
    : {
        ...Object.fromEntries(bounds.map(([name, ms]) => [name, isoText(ms)])),
        format: 'strict_date_optional_time',
      };

/** Years as search servers write them: four digits even before the common era, a sign in front of more than four. */
const isoText = (ms: number): string =>
  new Date(ms).toISOString().replace(/^([+-])00(\d{4})/, (_, sign: string, year: string) => (sign === '-' ? `-${year}` : year)); // prettier-ignore

type Bound = readonly [BoundName, RangeBound];

/** @param direction 1 for lower bounds, -1 for upper ones */
const stricter = (
  field: IndexField,
  [exclusiveName, exclusive]: readonly [BoundName, RangeBound | undefined],
  [inclusiveName, inclusive]: readonly [BoundName, RangeBound | undefined],
  direction: 1 | -1,
): readonly Bound[] => {
  const without: readonly Bound[] = exclusive === undefined ? [] : [[exclusiveName, exclusive]];
  if (inclusive === undefined) return without;
  const within: readonly Bound[] = [[inclusiveName, inclusive]];
  if (exclusive === undefined) return within;
  const order = compareBounds(field, [exclusiveName, exclusive], [inclusiveName, inclusive]);
  return direction * order >= 0 ? without : within;
};

const compareBounds = (field: IndexField, left: Bound, right: Bound): number => {
  const kind = kindOf(field.type);
  if (kind === 'date') return epochBound(left)[1] - epochBound(right)[1];
  if (kind !== 'number') return utf8Order(String(left[1]), String(right[1]));
  const [one, other] = [exact(left[1]), exact(right[1])];
  return one < other ? -1 : one > other ? 1 : 0;
};

/** Digits may exceed the precision of a double. */
const exact = (bound: RangeBound): number | bigint =>
  typeof bound === 'string' && /^-?\d+$/.test(bound) ? BigInt(bound) : Number(bound);

const epochBound = ([name, bound]: Bound): [BoundName, number] => {
  const ms =
    typeof bound === 'number'
      ? bound
      : parseDate(bound, undefined, name === 'gt' || name === 'lte' ? 'up' : 'down');
  if (ms === null)
    throw new TributaryError(
      'BAD_USER_INPUT',
      `${JSON.stringify(bound)} is not a date that can bound a range`,
    );
  return [name, ms];
};
