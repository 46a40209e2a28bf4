import { TributaryError } from '../../errors.ts';
import { kindOf, type Field, type FieldKind } from '../../introspection/fields/field.ts';
import type { MeasureKind } from '../measure.ts';

/** Object fields have no values themselves: every document counts as missing. */
const values: readonly FieldKind[] = ['keyword', 'boolean', 'number', 'date', 'object', 'json'];
const quantities: readonly FieldKind[] = ['number', 'date'];

/** The field kinds that a measure supports; the first one is suggested. */
const countable: Readonly<Record<MeasureKind, readonly FieldKind[]>> = {
  terms: values,
  cardinality: values,
  stats: quantities,
  histogram: quantities,
  date_histogram: ['date'],
  range: quantities,
  // not dates: 1 % of the milliseconds since 1970 is half a year
  percentiles: ['number'],
};

/** Whether a measure only compares values, and so supports values of any kind. */
export const isOfAnyValues = (measure: MeasureKind): boolean => countable[measure].includes('keyword');

/** @throws TributaryError BAD_USER_INPUT for a field that does not support the measure */
export const assertCountable = (
  { path, type, kind }: Pick<Field, 'path' | 'type' | 'kind'>,
  measure: MeasureKind,
): void => {
  if (countable[measure].includes(kind)) return;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `field ${path} of type ${type} has no ${measure}; use a ${countable[measure][0]} field`,
    { details: { fieldName: path, type } },
  );
};

/**
 * The same for engines, which may also be asked for the values of a nested object: there are none.
 * @throws TributaryError BAD_USER_INPUT
 */
export const assertMeasurable = (
  { path, type }: Pick<Field, 'path' | 'type'>,
  measure: MeasureKind,
): void => {
  const kind = kindOf(type);
  if (kind === 'text') throw notCountable({ path, type });
  if (isOfAnyValues(measure) || countable[measure].includes(kind)) return;
  throw new TributaryError('BAD_USER_INPUT', `field ${path} is of type ${type}, which has no ${measure}`);
};

/** The error for a field whose values no engine can count. */
export const notCountable = ({ path, type }: Pick<Field, 'path' | 'type'>): TributaryError =>
  new TributaryError('BAD_USER_INPUT', `field ${path} is of type ${type}, which cannot be aggregated`);
