import { parseDate } from '../../introspection/dates/dates.ts';
import type { Field } from '../../introspection/fields/field.ts';
import { isIntegerType } from '../../introspection/fields/field.ts';
import type { Filter, FilterValue, PatternPart, RangeBound } from '../../sqon/filter.ts';
import { patternMatcher, prefixPattern } from '../../sqon/filter.ts';
import { cellFinder } from '../cells/cell.ts';
import type { DimensionCell } from '../table/released-table.ts';

/** Of a condition on a field: the cells all of whose values satisfy it, and those of which some may. */
export interface LeafCells {
  readonly within: readonly number[];
  readonly may: readonly number[];
}

export type Leaf = Extract<Filter, { readonly kind: 'terms' | 'range' | 'pattern' | 'exists' }>;

/** How a condition on a field falls on the cells of its dimension. */
export const leafCells = (leaf: Leaf, field: Field, cells: readonly DimensionCell[]): LeafCells => {
  switch (leaf.kind) {
    case 'terms':
      return termsCells(leaf.values, cells);
    case 'range':
      return rangeCells(rangeOf(leaf, field), field, cells);
    case 'pattern':
      return patternCells(leaf, cells);
    case 'exists': {
      const present = [...cells.keys()].filter((index) => cells[index]!.kind !== 'missing');
      return { within: present, may: present };
    }
  }
};

const termsCells = (values: readonly FilterValue[], cells: readonly DimensionCell[]): LeafCells => {
  const find = cellFinder(cells);
  const may = [...new Set(values.map((value) => find(value)).filter((index) => index >= 0))];
  return { within: may.filter((index) => cells[index]!.kind === 'value'), may };
};

/** Sorts cells by whether all, some or none of their values satisfy a condition. */
const sorted = (
  cells: readonly DimensionCell[],
  extentOf: (cell: DimensionCell) => 'all' | 'some' | 'none',
): LeafCells => {
  const extents = cells.map((cell) =>
    cell.kind === 'missing' ? 'none' : cell.kind === 'other' ? 'some' : extentOf(cell),
  );
  const indexes = [...cells.keys()];
  return {
    within: indexes.filter((index) => extents[index] === 'all'),
    may: indexes.filter((index) => extents[index] !== 'none'),
  };
};

/** Both ends included; of whole numbers and dates, the least and the greatest that satisfy the condition. */
interface Range {
  readonly low: number;
  readonly isLowOpen: boolean;
  readonly high: number;
  readonly isHighOpen: boolean;
}

const rangeOf = (leaf: Leaf & { readonly kind: 'range' }, field: Field): Range => {
  const bound = (value: RangeBound, rounding: 'up' | 'down'): number =>
    field.kind === 'date' && typeof value === 'string'
      ? (parseDate(value, field.format, rounding) ?? NaN)
      : Number(value);
  const { gt, gte, lt, lte } = leaf;
  const lows = [
    ...(gte === undefined ? [] : [{ low: bound(gte, 'down'), isLowOpen: false }]),
    ...(gt === undefined ? [] : [{ low: bound(gt, 'up'), isLowOpen: true }]),
  ];
  const highs = [
    ...(lte === undefined ? [] : [{ high: bound(lte, 'up'), isHighOpen: false }]),
    ...(lt === undefined ? [] : [{ high: bound(lt, 'down'), isHighOpen: true }]),
  ];
  const low = lows.reduce((least, one) => (one.low >= least.low ? one : least), {
    low: -Infinity,
    isLowOpen: false,
  });
  const high = highs.reduce((most, one) => (one.high <= most.high ? one : most), {
    high: Infinity,
    isHighOpen: false,
  });
  return isWhole(field) ? whole({ ...low, ...high }) : { ...low, ...high };
};

const isWhole = ({ kind, type }: Field): boolean => kind === 'date' || isIntegerType(type);

const whole = ({ low, isLowOpen, high, isHighOpen }: Range): Range => ({
  low: isLowOpen ? Math.floor(low) + 1 : Math.ceil(low),
  isLowOpen: false,
  high: isHighOpen ? Math.ceil(high) - 1 : Math.floor(high),
  isHighOpen: false,
});

const rangeCells = (range: Range, field: Field, cells: readonly DimensionCell[]): LeafCells =>
  sorted(cells, (cell) => {
    if (cell.kind === 'value')
      return typeof cell.value === 'number' && has(range, cell.value) ? 'all' : 'none';
    return cell.kind === 'range' ? overlapOf(range, cell, isWhole(field)) : 'some';
  });

const has = ({ low, isLowOpen, high, isHighOpen }: Range, value: number): boolean =>
  (isLowOpen ? value > low : value >= low) && (isHighOpen ? value < high : value <= high);

/** Of the values from <= value < to. */
const overlapOf = (
  range: Range,
  { from, to }: DimensionCell & { readonly kind: 'range' },
  integers: boolean,
): 'all' | 'some' | 'none' => {
  const first = from ?? -Infinity;
  const end = to ?? Infinity;
  const last = integers ? end - 1 : end;
  const startsIn = range.isLowOpen ? first > range.low : first >= range.low;
  const endsIn = integers ? last <= range.high : end <= range.high;
  if (startsIn && endsIn) return 'all';
  const isBelow = integers ? last < range.low : end <= range.low;
  const isAbove = range.isHighOpen ? first >= range.high : first > range.high;
  return isBelow || isAbove ? 'none' : 'some';
};

const patternCells = (
  { pattern, caseInsensitive, except = [] }: Leaf & { readonly kind: 'pattern' },
  cells: readonly DimensionCell[],
): LeafCells => {
  // engines fold ASCII only
  const fold = (text: string): string =>
    caseInsensitive ? text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) : text;
  const matches = patternMatcher(pattern, fold);
  return sorted(cells, (cell) => {
    if (cell.kind === 'value') {
      const text = String(cell.value);
      return matches(text) && !except.includes(text) ? 'all' : 'none';
    }
    if (cell.kind !== 'pattern') return 'some';
    const own = prefixPattern(cell.pattern);
    if (areDisjoint(fold(literalStart(own)), fold(literalStart(pattern)))) return 'none';
    return except.length === 0 && !caseInsensitive && contains(pattern, own) ? 'all' : 'some';
  });
};

const literalStart = ([first]: readonly PatternPart[]): string =>
  first !== undefined && 'literal' in first ? first.literal : '';

const areDisjoint = (left: string, right: string): boolean =>
  !left.startsWith(right) && !right.startsWith(left);

/** Whether every text that fits the inner pattern fits the outer one, as far as can be seen at once. */
const contains = (outer: readonly PatternPart[], inner: readonly PatternPart[]): boolean => {
  if (JSON.stringify(outer) === JSON.stringify(inner)) return true;
  const last = outer.at(-1);
  const isPrefix = last !== undefined && 'wildcard' in last && last.wildcard === 'any' && outer.length <= 2;
  return (
    isPrefix &&
    (outer.length === 1 || ('literal' in outer[0]! && literalStart(inner).startsWith(literalStart(outer))))
  );
};
