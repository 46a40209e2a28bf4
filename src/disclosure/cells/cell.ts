import { patternMatcher, prefixPattern } from '../../sqon/filter.ts';
import type { DimensionCell } from '../table/released-table.ts';
import { MISSING, OTHER } from '../../sqon/ast.ts';

/** A value of a field as it is counted: dates in epoch ms. */
export type CellValue = string | number | boolean;

/** The cell that a value is in, the first that takes it; -1 for none. */
export const cellFinder = (cells: readonly DimensionCell[]): ((value: CellValue) => number) => {
  const values = new Map<string, number>();
  cells.forEach((cell, index) => {
    if (cell.kind === 'value' && !values.has(String(cell.value))) values.set(String(cell.value), index);
  });
  const tests = cells.map(testOf);
  const known = new Map<CellValue, number>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const text = String(value);
    const exact = values.get(text) ?? -1;
    const tested = tests.findIndex((test) => test !== null && test(value));
    const found =
      exact < 0 ? tested : tested < 0 || cells[tested]!.kind === 'other' ? exact : Math.min(exact, tested);
    const index = found >= 0 ? found : cells.findIndex(({ kind }) => kind === 'other');
    if (known.size < maxKnown) known.set(value, index);
    return index;
  };
};

const maxKnown = 100_000;

const testOf = (cell: DimensionCell): ((value: CellValue) => boolean) | null => {
  switch (cell.kind) {
    case 'pattern': {
      const matches = patternMatcher(prefixPattern(cell.pattern), (text) => text);
      return (value) => matches(String(value));
    }
    case 'range':
      return (value) =>
        typeof value === 'number' &&
        (cell.from === null || value >= cell.from) &&
        (cell.to === null || value < cell.to);
    case 'value':
    case 'other':
    case 'missing':
      return null;
  }
};

/** A cell in words: a value as text, a pattern, `from-to` with `*` for an open end. */
export const cellLabel = (cell: DimensionCell): string => {
  switch (cell.kind) {
    case 'value':
      return String(cell.value);
    case 'pattern':
      return cell.pattern;
    case 'range':
      return `${cell.from ?? '*'}-${cell.to ?? '*'}`;
    case 'other':
      return OTHER;
    case 'missing':
      return MISSING;
  }
};
