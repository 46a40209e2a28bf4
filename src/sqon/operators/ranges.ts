import { leaf as leafOf, type SqonLeaf } from '../ast.ts';
import { placed } from '../scope.ts';
import type { Bound, LeafOperator } from './operator.ts';
import type { DateRounding } from '../../introspection/dates/dates.ts';
import { isIntegerType, memberOf, type Field } from '../../introspection/fields/field.ts';
import { addressDigits, compareTerms, isOrderedText } from '../../introspection/terms/term-forms.ts';
import { beyondType, fieldValue, momentOf } from '../field-values.ts';
import { boundNames, none } from '../filter.ts';
import type { BoundName, Filter, RangeBound, RangeBounds } from '../filter.ts';
import { compareNumbers } from '../../lib/json/json.ts';
import { malformed } from '../malformed.ts';

/** How a date is rounded at each end: it extends to the end of the period it covers. */
export const boundRounding = { gt: 'up', gte: 'down', lt: 'down', lte: 'up' } as const satisfies Record<
  BoundName,
  DateRounding
>;

const isOrdered = ({ kind, type }: Field): boolean =>
  kind === 'number' || kind === 'date' || kind === 'range' || isOrderedText(type);

const orderedTypes = [
  'long',
  'integer',
  'float',
  'double',
  'date',
  'byte',
  'short',
  'half_float',
  'scaled_float',
  'unsigned_long',
];

/** Common properties of the operators that compare by order. */
const range = (
  bounds: readonly Bound[],
  aliases: readonly string[],
  valueType = 'number | date',
): LeafOperator => ({
  kind: 'leaf',
  aliases,
  introspection: { listedFor: ['ordered', 'measured'], applicableTo: orderedTypes, valueType },
  older: null,
  complement: null,
  takesSpecialValues: false,
  needsValues: true,
  quantifier: 'some',
  isSearch: false,
  fits: { accepts: isOrdered, others: 'has no order' },
  bounds,
  notice: () => null,
  compile: ({ leaf, field, scope, context }) =>
    placed(rangeFilter(leaf, bounds, memberOf(field)), field, scope, context),
  partTest: () => null,
  asSearch: (sqon) => leafOf(sqon.op, sqon.fieldName, sqon.values, sqon.pivot, sqon.at),
});

/** The greatest of several bounds applies. */
export const gt = range([{ name: 'gt', of: 'greatest' }], ['>']);

/** The greatest of several bounds applies. */
export const gte = range([{ name: 'gte', of: 'greatest' }], ['>=']);

/** The least of several bounds applies. */
export const lt = range([{ name: 'lt', of: 'least' }], ['<']);

/** The least of several bounds applies. */
export const lte = range([{ name: 'lte', of: 'least' }], ['<=']);

/** The notice for a `between` with more than two bounds; null for others. */
const betweenNotice = ({ values }: SqonLeaf) =>
  values.length > 2
    ? {
        text: `between takes two bounds; of these ${values.length} values only the smallest and largest count`,
        accepted: 'two bounds, the lower one first',
      }
    : null;

/** Both ends are inclusive; a single value is both. */
export const between: LeafOperator = {
  ...range(
    [
      { name: 'gte', of: 'least' },
      { name: 'lte', of: 'greatest' },
    ],
    [],
    'Array<number | date>',
  ),
  notice: betweenNotice,
};

/**
 * The condition of a range leaf on the object that holds the field, which must be ordered. Two bounds for two ends are
 * taken in order; a single value is both.
 * @throws TributaryError BAD_USER_INPUT when a value does not fit the field, or the bounds are invalid
 */
const rangeFilter = (leaf: SqonLeaf, ends: readonly Bound[], field: Field): Filter => {
  const bounds = leaf.values.map((value, position) => boundOf(value, field, leaf, position));
  const nowMs = Date.now();
  if (ends.length > 1)
    assertBetween(leaf, (left, right) => compareEnds(bounds[left]!, bounds[right]!, field, nowMs));
  const areGiven = ends.length > 1 && bounds.length === ends.length;
  const limits = ends.map(({ name, of }, position) => {
    const bound = areGiven ? bounds[position]! : extreme(bounds, of, field, boundRounding[name], nowMs);
    return [
      name,
      field.kind === 'date' ? momentOf(bound, field, boundRounding[name], nowMs) : bound,
    ] as const;
  });
  return withinType(Object.fromEntries(limits), field);
};

const extreme = (
  bounds: readonly RangeBound[],
  of: Bound['of'],
  field: Field,
  rounding: DateRounding,
  nowMs: number,
): RangeBound =>
  bounds.reduce((extreme, bound) => {
    const isLess = (left: RangeBound, right: RangeBound) =>
      compareBounds(left, right, field, rounding, nowMs) < 0;
    return (of === 'least' ? isLess(bound, extreme) : isLess(extreme, bound)) ? bound : extreme;
  });

const boundOf = (value: SqonLeaf['values'][number], field: Field, leaf: SqonLeaf, at: number): RangeBound => {
  const where = `${leaf.at}.content.value[${at}]`;
  const bound = fieldValue(value, field, where);
  if (typeof bound === 'boolean') throw malformed(where, value, 'a number or a date');
  if (field.type === 'ip' && addressDigits(String(bound)) === null)
    throw malformed(where, value, 'an IP address');
  return bound;
};

const compareBounds = (
  left: RangeBound,
  right: RangeBound,
  field: Field,
  rounding: DateRounding,
  nowMs: number,
): number => {
  if (field.kind === 'date') {
    const [a, b] = [left, right].map((bound) => momentOf(bound, field, rounding, nowMs));
    return compareNumbers(a!, b!);
  }
  if (isOrderedText(field.type)) return compareTerms(field.type, String(left), String(right));
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [whole, other] = [integerOf(left), integerOf(right)];
  return whole < other ? -1 : whole > other ? 1 : Number(left) - Number(right);
};

/** Whether a lower end lies above an upper one: a date extends to the end of the period it covers. */
const compareEnds = (lower: RangeBound, upper: RangeBound, field: Field, nowMs: number): number => {
  if (field.kind !== 'date') return compareBounds(lower, upper, field, 'down', nowMs);
  const from = momentOf(lower, field, 'down', nowMs);
  if (compareNumbers(from, momentOf(upper, field, 'up', nowMs)) > 0) return 1;
  return Math.min(compareNumbers(from, momentOf(upper, field, 'down', nowMs)), 0);
};

const integerOf = (bound: RangeBound): bigint =>
  typeof bound === 'number' ? BigInt(Math.floor(bound)) : BigInt(bound);

/** Bounds beyond the type's range are resolved here: they either exclude every value or only require one to exist. */
const withinType = (bounds: RangeBounds, field: Field): Filter => {
  const strictest: { -readonly [Name in BoundName]?: RangeBound } = {};
  for (const name of boundNames) {
    const bound = bounds[name];
    if (bound === undefined) continue;
    const side = beyondType(bound, field);
    if (side === (name.startsWith('g') ? 'above' : 'below')) return none;
    if (side === 'within') strictest[name] = wholeBound(bound, name, field);
  }
  // no whole number lies between 1.2 and 1.8
  const { gte, lte } = strictest;
  if (typeof gte === 'number' && typeof lte === 'number' && gte > lte) return none;
  const open = Object.keys(strictest).length === 0;
  return open
    ? { kind: 'exists', field: field.indexField }
    : { kind: 'range', field: field.indexField, ...strictest };
};

/** Ends of ranges of whole numbers must be whole: servers refuse others. */
const wholeBound = (bound: RangeBound, name: BoundName, { type, indexField }: Field): RangeBound => {
  if (indexField.type === type || !isIntegerType(type) || typeof bound !== 'number') return bound;
  return name === 'gte' || name === 'lt' ? Math.ceil(bound) : Math.floor(bound);
};

/** Compares two bounds: negative when the first is lower. */
export type Compare = (left: number, right: number) => number;

/**
 * Rejects unintended uses of `between`: two bounds in descending order, and a sorted list of more than two, which is a
 * list of values. Longer unsorted lists are bounds that a client collected from several selections; existing clients
 * send them, and the smallest and largest apply.
 * @param compare compares the bounds at two indexes of the leaf's values
 * @throws TributaryError BAD_USER_INPUT
 */
const assertBetween = (leaf: SqonLeaf, compare: Compare): void => {
  const count = leaf.values.length;
  const steps = Array.from({ length: count - 1 }, (_, position) => compare(position, position + 1));
  const at = `${leaf.at}.content.value`;
  if (count === 2 && steps[0]! > 0) throw malformed(at, leaf.values, 'the lower bound before the upper one');
  const isSorted = steps.every((step) => step <= 0) || steps.every((step) => step >= 0);
  if (count > 2 && isSorted)
    throw malformed(at, leaf.values, 'two bounds, the lower one first (in takes a list of values)');
};
