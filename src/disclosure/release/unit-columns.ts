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
  const firstCells = new Uint16Array(chosen.length);
  // of a million units, few have several values: no list for each
  const lists = new Map<number, readonly number[]>();
  for (let index = 0; index < chosen.length; index += 1) {
    const unit = chosen[index]!;
    const all = several.get(unit);
    const own = all && [...new Set([...all].map((number) => cellOf[number]!))];
    firstCells[index] = own?.[0] ?? (first[unit]! < 0 ? missing : cellOf[first[unit]!]!);
    if (own !== undefined && own.length > 1) lists.set(index, own);
  }
  return lists.size === 0 ? { kind: 'one', cells: firstCells } : listColumn(firstCells, lists);
};

const listColumn = (firstCells: Uint16Array, lists: ReadonlyMap<number, readonly number[]>): UnitCells => {
  const starts = new Uint32Array(firstCells.length + 1);
  firstCells.forEach((_, index) => {
    starts[index + 1] = starts[index]! + (lists.get(index)?.length ?? 1);
  });
  const cells = new Uint16Array(starts.at(-1)!);
  firstCells.forEach((cell, index) => cells.set(lists.get(index) ?? [cell], starts[index]));
  return { kind: 'list', starts, cells };
};
