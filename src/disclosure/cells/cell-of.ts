import { patternMatcher } from '../../sqon/pattern-matcher.ts';
import { starPattern } from '../../sqon/pattern.ts';
import type { DimensionCell } from '../table/released-table.ts';

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
      const matches = patternMatcher(starPattern(cell.pattern), (text) => text);
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
