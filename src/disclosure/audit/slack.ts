import type { Circulation } from './circulation.ts';

/**
 * Whether an arc has the required number of values for sure: seen at a glance from the slack around it, which saves
 * almost every search for a maximum flow. False says nothing.
 *
 * A cell is raised by three kinds of flow that share no arc: within what its column can take, other cells of the row
 * give way, each as far as its own column lets it; likewise with the column's cells; and with what is left of its row
 * and its column, the total is raised.
 */
export const surelyFree = (circulation: Circulation, required: number): ((arc: number) => boolean) => {
  const { rows, columns, flow, lower, upper } = circulation;
  const cells = rows * columns;
  const total = cells + rows + columns;
  const up = upper.map((most, arc) => most - flow[arc]!);
  const down = lower.map((least, arc) => flow[arc]! - least);
  const [rowGives, rowTakes] = [new Int32Array(rows), new Int32Array(rows)];
  const [columnGives, columnTakes] = [new Int32Array(columns), new Int32Array(columns)];
  for (let row = 0, arc = 0; row < rows; row += 1) {
    const [rowUp, rowDown] = [up[cells + row]!, down[cells + row]!];
    for (let column = 0; column < columns; column += 1, arc += 1) {
      const [cellUp, cellDown] = [up[arc]!, down[arc]!];
      const [columnUp, columnDown] = [up[cells + rows + column]!, down[cells + rows + column]!];
      rowGives[row]! += cellDown < columnDown ? cellDown : columnDown;
      rowTakes[row]! += cellUp < columnUp ? cellUp : columnUp;
      columnGives[column]! += cellDown < rowDown ? cellDown : rowDown;
      columnTakes[column]! += cellUp < rowUp ? cellUp : rowUp;
    }
  }
  const moved = (
    arc: number,
    row: number,
    column: number,
    same: Int32Array,
    opposite: Int32Array,
  ): number => {
    const [ofRow, ofColumn] = [same[cells + row]!, same[cells + rows + column]!];
    const isUp = same === up;
    const own = opposite[arc]!;
    const inRow = (isUp ? rowGives : rowTakes)[row]! - Math.min(own, opposite[cells + rows + column]!);
    const inColumn = (isUp ? columnGives : columnTakes)[column]! - Math.min(own, opposite[cells + row]!);
    const byRow = Math.min(inRow, ofColumn);
    const byColumn = Math.min(inColumn, ofRow);
    return Math.min(
      same[arc]!,
      byRow + byColumn + Math.min(same[total]!, ofColumn - byRow, ofRow - byColumn),
    );
  };
  return (arc) => {
    if (arc >= cells) return false;
    const row = Math.floor(arc / columns);
    const column = arc - row * columns;
    return 1 + moved(arc, row, column, up, down) + moved(arc, row, column, down, up) >= required;
  };
};
