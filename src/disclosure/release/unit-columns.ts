import { cellFinder, type CellValue } from '../cells/cell-of.ts';
import type { UnitCells } from '../table/count-cells.ts';
import type { DimensionCell } from '../table/released-table.ts';
import type { UnitColumn } from './read-units.ts';

/** How many of the chosen units have each value. */
export const countValues = (
  { values, first, several }: UnitColumn,
  chosen: readonly number[],
): ReadonlyMap<CellValue, number> => {
  const counts = new Float64Array(values.length);
  for (const unit of chosen) {
    const all = several.get(unit);
    if (all !== undefined) for (const number of all) counts[number]! += 1;
    else if (first[unit]! >= 0) counts[first[unit]!]! += 1;
  }
  return new Map(values.map((value, number) => [value, counts[number]!]));
};

/** The cells of the chosen units, as one column: a list when any of them is in several. */
export const cellColumn = (
  { values, first, several }: UnitColumn,
  chosen: readonly number[],
  cells: readonly DimensionCell[],
): UnitCells => {
  const find = cellFinder(cells);
  const cellOf = Uint16Array.from(values, (value) => find(value));
  const missing = cells.findIndex(({ kind }) => kind === 'missing');
  const cellsOf = (unit: number): readonly number[] => {
    const all = several.get(unit);
    if (all !== undefined) return [...new Set([...all].map((number) => cellOf[number]!))];
    return [first[unit]! < 0 ? missing : cellOf[first[unit]!]!];
  };
  const lists = chosen.map(cellsOf);
  if (lists.every(({ length }) => length === 1))
    return { kind: 'one', cells: Uint16Array.from(lists, ([cell]) => cell!) };
  const starts = new Uint32Array(chosen.length + 1);
  lists.forEach((own, index) => (starts[index + 1] = starts[index]! + own.length));
  return { kind: 'list', starts, cells: Uint16Array.from(lists.flat()) };
};
