import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';
import { kindOf, type Field, type FieldKind } from '../../introspection/fields/field.ts';
import type { SortMode } from '../engine.ts';
import type { MeasureKind } from '../measure.ts';

/** Object fields have no values themselves: every document counts as missing. */
const values: readonly FieldKind[] = ['keyword', 'boolean', 'number', 'date', 'flattened', 'object', 'json'];
const quantities: readonly FieldKind[] = ['number', 'date'];

/** The field kinds that a use supports: a measure, being sorted by. The first one of a measure is suggested. */
const supported: Readonly<Record<MeasureKind | SortUse, readonly FieldKind[]>> = {
  terms: values,
  cardinality: values,
  stats: quantities,
  histogram: quantities,
  date_histogram: ['date'],
  range: quantities,
  // not dates: 1 % of the milliseconds since 1970 is half a year
  percentiles: ['number'],
  groups: ['keyword', 'boolean', 'number', 'flattened'],
  survival: ['number'],
  sort: ['keyword', 'number', 'date', 'boolean', 'flattened'],
  arithmeticSort: quantities,
};

/** `arithmeticSort`: by a value computed from all of a document's. */
type SortUse = 'sort' | 'arithmeticSort';

const sortUse: Readonly<Record<SortMode, SortUse>> = {
  min: 'sort',
  max: 'sort',
  avg: 'arithmeticSort',
  sum: 'arithmeticSort',
  median: 'arithmeticSort',
};

/** Whether a measure only compares values, and so supports values of any kind. */
export const isOfAnyValues = (measure: MeasureKind): boolean => supported[measure].includes('keyword');

/** The error for a field that does not support the measure; null if it does. */
export const uncountable = (
  { path, type, kind }: Pick<Field, 'path' | 'type' | 'kind'>,
  measure: MeasureKind,
): TributaryError | null =>
  supported[measure].includes(kind)
    ? null
    : badUserInput(`field ${path} of type ${type} has no ${measure}; use a ${supported[measure][0]} field`, {
        details: { fieldName: path, type },
      });

/**
 * As above for engines, which may also be queried for the values of a nested object, which has none.
 * @throws TributaryError BAD_USER_INPUT
 */
export const assertMeasurable = (
  { path, type }: Pick<Field, 'path' | 'type'>,
  measure: MeasureKind,
): void => {
  const kind = kindOf(type);
  if (kind === 'text') throw notCountable({ path, type });
  if (isOfAnyValues(measure) || supported[measure].includes(kind)) return;
  throw badUserInput(`field ${path} is of type ${type}, which has no ${measure}`);
};

/** The error for a field whose values no engine can count. */
export const notCountable = ({ path, type }: Pick<Field, 'path' | 'type'>): TributaryError =>
  badUserInput(`field ${path} is of type ${type}, which cannot be aggregated`);

/** @throws TributaryError BAD_USER_INPUT for a field that has no order, or none by that mode */
export const assertSortable = (
  { path, type, kind }: Pick<Field, 'path' | 'type' | 'kind'>,
  mode: SortMode = 'min',
): void => {
  if (!supported.sort.includes(kind)) throw notSortable({ path, type });
  if (!supported[sortUse[mode]].includes(kind)) throw notSortableBy(mode, { path, type });
};

/**
 * As above for engines, which may also sort by fields that hold no values: they are missing
 * everywhere.
 * @param kind from the engine, which may know it better than the query
 * @throws TributaryError BAD_USER_INPUT
 */
export const assertSortKey = (
  { path, type }: Pick<Field, 'path' | 'type'>,
  kind: FieldKind,
  mode: SortMode,
): void => {
  if (kind === 'text') throw notSortable({ path, type });
  if (sortUse[mode] === 'arithmeticSort' && !supported.arithmeticSort.includes(kind))
    throw notSortableBy(mode, { path, type });
};

const notSortable = ({ path, type }: Pick<Field, 'path' | 'type'>): TributaryError =>
  badUserInput(
    `field ${path} of type ${type} has no order; sort by a keyword, number, date or boolean field`,
    { details: { fieldName: path, type } },
  );

const notSortableBy = (mode: SortMode, { path, type }: Pick<Field, 'path' | 'type'>): TributaryError =>
  badUserInput(
    `sort mode ${mode} needs numbers or dates, field ${path} is of type ${type}; min and max work`,
  );
