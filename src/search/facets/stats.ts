import { z } from 'zod';
import type { StatsResult } from '../../engines/measure.ts';
import { allBelow, type SelectedField } from '../../lib/graphql/execution.ts';
import { answerOf, resultsOf, byName, fixed, isInt, responseField } from './row/answer-shape.ts';
import { sent, type MeasureRow } from './row/measure-row.ts';
import { isWideType } from '../../introspection/fields/field.ts';
import { compareNumbers, shownDigits } from '../../lib/json/json.ts';
import { checked, count, numeral } from './row/wire.ts';
import { GraphQLFloat, GraphQLInt, GraphQLObjectType } from 'graphql';

const exact = z.union([z.number(), numeral]).nullish();

/** JSON writes a large double like an integer. */
const double = (value: number | string | null): number | null => (value === null ? null : Number(value));

/** Numbers of an answer are read from their digits, even at 2^53. */
const oneForm = (value: number | string | null): number | string | null =>
  typeof value === 'string' ? shownDigits(value) : value;

/** For nodes with whole numbers and others with fractions: the digits of a long that no double represents. */
const digitsOrDouble = (value: number | string | null): number | string | null =>
  value === null || String(Number(value)) === value ? double(value) : value;

const answered = z.object({ count, min: exact, max: exact, sum: exact, avg: exact });

/** The GraphQL type of `stats`. */
const statsType = new GraphQLObjectType({
  name: 'Stats',
  description: 'Statistics over values, not documents. Dates are in milliseconds since 1970.',
  fields: {
    max: responseField(
      GraphQLFloat,
      'The largest value, a whole one beyond 2^53 as its digits; null when there is none.',
    ),
    min: responseField(
      GraphQLFloat,
      'The smallest value, a whole one beyond 2^53 as its digits; null when there is none.',
    ),
    count: responseField(GraphQLInt, 'How many values there are.'),
    avg: responseField(GraphQLFloat, 'The sum divided by the count; null when there is no value.'),
    sum: responseField(GraphQLFloat, 'The sum of all values; 0 when there is none.'),
  },
});

const field = { type: statsType, description: 'Count, smallest, largest, average and sum.' };

type Stat = 'min' | 'max' | 'count' | 'avg' | 'sum';

/** Count, minimum, maximum, sum and average of numbers or dates. */
export const stats: MeasureRow<'stats'> = {
  fields: { numbers: { stats: field } },
  select:
    (_selected, { info, addRequest }) =>
    (selection) => {
      const request = addRequest({ kind: 'stats' });
      const shape = byName<StatsResult>(allBelow(info, selection), statOf);
      return (answers) => shape(answerOf(answers, request, 'stats'));
    },
  toEngine: (measure) => measure,
  fitsTypes: ({ count: values, min, max, sum, avg }) =>
    isInt(values) && [min, max, sum, avg].every((value) => value === null || Number.isFinite(Number(value))),
  toNode: sent,
  isOfCells: () => false,
  remoteField: 'stats',
  print: () => 'stats { min max avg sum count }',
  read: (value, reading) => {
    const { count: values, min, max, sum, avg } = checked(answered, value, reading.field);
    const of = <Value>(figure: Value | null | undefined): Value | null =>
      values === 0 ? null : (figure ?? null);
    return {
      kind: 'stats',
      count: values,
      min: oneForm(of(min)),
      max: oneForm(of(max)),
      sum: double(of(sum)),
      avg: double(of(avg)),
    };
  },
  merge: (parts, { field: { type } }) => {
    const merged = mergeStats(resultsOf(parts));
    return isWideType(type)
      ? merged
      : { ...merged, min: digitsOrDouble(merged.min), max: digitsOrDouble(merged.max) };
  },
};

/** An empty set has no minimum or average, but its sum is 0. */
const statOf = (selection: SelectedField): ((result: StatsResult) => unknown) => {
  if (selection.name === '__typename') return fixed(selection);
  const name = selection.name as Stat;
  return (result) => (name === 'sum' && result.count === 0 ? 0 : result[name]);
};

/**
 * Merges the statistics of several nodes: counts and sums are added up (0 for an empty set), and the average is derived
 * from them, never from averages.
 */
export const mergeStats = (parts: readonly StatsResult[]): StatsResult => {
  const filled = parts.filter((part) => part.count > 0);
  if (filled.length === 0) return { kind: 'stats', count: 0, min: null, max: null, sum: 0, avg: null };
  const values = filled.reduce((total, part) => total + part.count, 0);
  const sum = filled.reduce((total, part) => total + (part.sum ?? 0), 0);
  return {
    kind: 'stats',
    count: values,
    min: extreme(
      filled.map(({ min }) => min ?? Infinity),
      compareNumbers,
    ),
    max: extreme(
      filled.map(({ max }) => max ?? -Infinity),
      (a, b) => compareNumbers(b, a),
    ),
    sum,
    avg: sum / values,
  };
};

const extreme = (
  values: readonly (number | string)[],
  order: (a: number | string, b: number | string) => number,
): number | string => values.reduce((best, value) => (order(value, best) < 0 ? value : best));
