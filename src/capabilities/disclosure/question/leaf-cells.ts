import { nanosInMs } from '../../../introspection/dates/dates.ts';
import { isIntegerType, type Field } from '../../../introspection/fields/field.ts';
import {
  addressBlock,
  addressOfDigits,
  compareTerms,
  isOrderedText,
} from '../../../introspection/terms/term-forms.ts';
import type { Filter, FilterValue, PatternPart, RangeBound, RangeBounds } from '../../../sqon/filter.ts';
import { isWithinAll, patternMatcher, prefixPattern } from '../../../sqon/filter.ts';
import { cellFinder, comparedBound, storedValue, type CellValue } from '../cells/cell.ts';
import { readNumber } from '../../../engines/semantics/stored-numbers.ts';
import type { DimensionCell } from '../table/released-table.ts';

/** For a condition on a field, the cells in which all values satisfy it, and those in which some may. */
export interface LeafCells {
  readonly within: readonly number[];
  readonly may: readonly number[];
}

export type Leaf = Extract<Filter, { readonly kind: 'terms' | 'range' | 'pattern' | 'exists' }>;

/** Sorts the cells of a field's dimension by a condition on the field. */
export const leafCells = (leaf: Leaf, field: Field, cells: readonly DimensionCell[]): LeafCells => {
  switch (leaf.kind) {
    case 'terms':
      return termsCells(leaf.values, field, cells);
    case 'range':
      return isOrderedText(field.type)
        ? orderedCells(leaf, field, cells)
        : rangeCells(rangeOf(leaf, field), field, cells);
    case 'pattern':
      return patternCells(leaf, cells);
    case 'exists': {
      const present = [...cells.keys()].filter((index) => cells[index]!.kind !== 'missing');
      return { within: present, may: present };
    }
  }
};

const termsCells = (
  values: readonly FilterValue[],
  field: Field,
  cells: readonly DimensionCell[],
): LeafCells => {
  const find = cellFinder(cells, field);
  const found = values.flatMap((value) => storedValue(value, field) ?? []).map((value) => find(value));
  const blocks = field.type === 'ip' ? values.flatMap((value) => blockCells(value, field, cells)) : [];
  const may = [...new Set([...found.filter((index) => index >= 0), ...blocks])];
  return { within: may.filter((index) => cells[index]!.kind === 'value'), may };
};

/** The cells that may contain addresses of a block. */
const blockCells = (block: FilterValue, field: Field, cells: readonly DimensionCell[]): readonly number[] => {
  const [gte, lte] = addressBlock(String(block))?.map(addressOfDigits) ?? [];
  return gte === undefined || lte === undefined ? [] : orderedCells({ gte, lte }, field, cells).may;
};

/** Sorts the cells of strings with their own order by bounds. */
const orderedCells = (bounds: RangeBounds, { type }: Field, cells: readonly DimensionCell[]): LeafCells =>
  sorted(cells, (cell) => {
    if (cell.kind !== 'value') return 'some';
    const isIn = isWithinAll(bounds, (bound) => compareTerms(type, String(cell.value), String(bound)));
    return isIn ? 'all' : 'none';
  });

/** Sorts cells by whether all, some or none of their values satisfy a condition. */
const sorted = (
  cells: readonly DimensionCell[],
  extentOf: (cell: DimensionCell, index: number) => 'all' | 'some' | 'none',
): LeafCells => {
  const extents = cells.map((cell, index) => (cell.kind === 'missing' ? 'none' : extentOf(cell, index)));
  const indexes = [...cells.keys()];
  return {
    within: indexes.filter((index) => extents[index] === 'all'),
    may: indexes.filter((index) => extents[index] !== 'none'),
  };
};

/** Integers beyond 2^53 are bigints; both compare with each other exactly. */
type Exact = number | bigint;

/** The least and the greatest integer or date that satisfy the condition, both inclusive. */
interface Range {
  readonly low: Exact;
  readonly isLowOpen: boolean;
  readonly high: Exact;
  readonly isHighOpen: boolean;
}

const rangeOf = (leaf: Leaf & { readonly kind: 'range' }, field: Field): Range => {
  const bound = (value: RangeBound): Exact => {
    if (field.type === 'date_nanos') return Number(BigInt(value) / nanosInMs);
    const number = readNumber(value) ?? NaN;
    return typeof number === 'bigint' ? number : comparedBound(number, field);
  };
  const { gt, gte, lt, lte } = leaf;
  const lows = [
    ...(gte === undefined ? [] : [{ low: bound(gte), isLowOpen: false }]),
    ...(gt === undefined ? [] : [{ low: bound(gt), isLowOpen: true }]),
  ];
  const highs = [
    ...(lte === undefined ? [] : [{ high: bound(lte), isHighOpen: false }]),
    ...(lt === undefined ? [] : [{ high: bound(lt), isHighOpen: true }]),
  ];
  const low = lows.reduce<Pick<Range, 'low' | 'isLowOpen'>>(
    (least, one) => (one.low >= least.low ? one : least),
    { low: -Infinity, isLowOpen: false },
  );
  const high = highs.reduce<Pick<Range, 'high' | 'isHighOpen'>>(
    (most, one) => (one.high <= most.high ? one : most),
    { high: Infinity, isHighOpen: false },
  );
  return isWhole(field) ? whole({ ...low, ...high }) : { ...low, ...high };
};

const isWhole = ({ kind, type }: Field): boolean => kind === 'date' || isIntegerType(type);

const whole = ({ low, isLowOpen, high, isHighOpen }: Range): Range => ({
  low: isLowOpen ? plus(wholeBound(low, Math.floor), 1) : wholeBound(low, Math.ceil),
  isLowOpen: false,
  high: isHighOpen ? plus(wholeBound(high, Math.ceil), -1) : wholeBound(high, Math.floor),
  isHighOpen: false,
});

const wholeBound = (value: Exact, round: (value: number) => number): Exact =>
  typeof value === 'bigint' ? value : round(value);

const plus = (value: Exact, step: 1 | -1): Exact =>
  typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value + step))
    ? BigInt(value) + BigInt(step)
    : value + step;

const rangeCells = (range: Range, field: Field, cells: readonly DimensionCell[]): LeafCells =>
  sorted(cells, (cell) => {
    if (cell.kind === 'value') return has(range, exactOf(cell.value)) ? 'all' : 'none';
    return cell.kind === 'range' ? overlapOf(range, cell, field) : 'some';
  });

const exactOf = (value: CellValue): Exact =>
  typeof value === 'number' ? value : (readNumber(String(value)) ?? NaN);

const has = ({ low, isLowOpen, high, isHighOpen }: Range, value: Exact): boolean =>
  (isLowOpen ? value > low : value >= low) && (isHighOpen ? value < high : value <= high);

/** For the values from <= value < to. */
const overlapOf = (
  range: Range,
  { from, to }: DimensionCell & { readonly kind: 'range' },
  field: Field,
): 'all' | 'some' | 'none' => {
  const integers = isWhole(field);
  const [start, end] = [from ?? -Infinity, to ?? Infinity].map((edge) => comparedBound(edge, field)) as [
    number,
    number,
  ];
  const first = integers ? Math.ceil(start) : start;
  const last = integers ? plus(Math.ceil(end), -1) : end;
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
  // a matching text is in this cell or an earlier one
  const covering = caseInsensitive
    ? -1
    : cells.findIndex((cell) => cell.kind === 'pattern' && contains(prefixPattern(cell.pattern), pattern));
  return sorted(cells, (cell, index) => {
    if (covering >= 0 && index > covering) return 'none';
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

/** Whether every text that matches the inner pattern also matches the outer one, as far as a simple comparison shows. */
const contains = (outer: readonly PatternPart[], inner: readonly PatternPart[]): boolean => {
  if (JSON.stringify(outer) === JSON.stringify(inner)) return true;
  const last = outer.at(-1);
  const isPrefix = last !== undefined && 'wildcard' in last && last.wildcard === 'any' && outer.length <= 2;
  return (
    isPrefix &&
    (outer.length === 1 || ('literal' in outer[0]! && literalStart(inner).startsWith(literalStart(outer))))
  );
};
