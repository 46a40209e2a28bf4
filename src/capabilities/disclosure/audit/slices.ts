import type { Counts } from '../table/count-cells.ts';
import type { ReleasedTable } from '../table/released-table.ts';
import { partOf, type CellBounds, type Part } from './cell-bounds.ts';
import type { FlowTable } from './flow-network.ts';
import { Circulation, newSlack, surelyFree } from './slack.ts';

/**
 * Every two-way table of dimensions in which every unit has one cell: a two-way block, or a three-way block with a cell of
 * the third dimension fixed. The slices of one block share their network.
 */
export function* slicesOf(table: ReleasedTable, bounds: CellBounds, counts: Counts): Generator<FlowTable> {
  for (const { dimensions } of table.blocks.values()) {
    if (dimensions.length < 2 || dimensions[0] === dimensions[1]) continue;
    for (const fixed of dimensions.length === 2 ? [-1] : dimensions) {
      const [row, column] = dimensions.filter((one) => one !== fixed) as [number, number];
      if (!table.dimensions[row]!.isMulti && !table.dimensions[column]!.isMulti)
        yield* slicesAcross([row, column, fixed], table, bounds, counts);
    }
  }
}

/** @param axes the dimensions of the rows, of the columns, and the fixed one, or -1 */
function* slicesAcross(
  axes: readonly [number, number, number],
  table: ReleasedTable,
  bounds: CellBounds,
  counts: Counts,
): Generator<FlowTable> {
  const [row, column, fixed] = axes;
  const sizeOf = (axis: number): number => table.dimensions[axis]!.cells.length;
  const circulation = new Circulation(sizeOf(row), sizeOf(column));
  const slack = newSlack(circulation);
  const part = (...chosen: number[]): Part =>
    partOf(fixed < 0 ? chosen : [...chosen, fixed], axes, table, bounds, counts);
  const parts = [part(row, column), part(row), part(column), part()] as const;
  const slices = fixed < 0 ? 1 : sizeOf(fixed);
  for (let slice = 0; slice < slices; slice += 1)
    yield {
      network: circulation,
      ...sliceOf(circulation, parts, slice),
      surelyFree: (required) => surelyFree(circulation, slack, required),
    };
}

/** Copies the bounds and the true counts, which are a feasible circulation, into the arcs, and back. */
const sliceOf = (
  { rows, columns, flow, lower, upper }: Circulation,
  parts: readonly [cells: Part, rows: Part, columns: Part, total: Part],
  slice: number,
): Pick<FlowTable, 'load' | 'cellOf'> => {
  const [cells, ofRows, ofColumns, total] = parts;
  const cellAt = ({ strides }: Part, row: number, column: number): number =>
    row * strides[0]! + column * strides[1]! + slice * strides[2]!;
  const fill = (part: Part, from: number, height: number, width: number): void => {
    let arc = from;
    for (let row = 0; row < height; row += 1) {
      let cell = cellAt(part, row, 0);
      for (let column = 0; column < width; column += 1, arc += 1, cell += part.strides[1]!) {
        lower[arc] = part.bounds.lower[cell]!;
        upper[arc] = part.bounds.upper[cell]!;
        flow[arc] = part.counts[cell]!;
      }
    }
  };
  const load = (): void => {
    fill(cells, 0, rows, columns);
    fill(ofRows, rows * columns, rows, 1);
    fill(ofColumns, rows * columns + rows, 1, columns);
    fill(total, rows * columns + rows + columns, 1, 1);
  };
  const found = (part: Part, row: number, column: number) => ({
    key: part.key,
    cell: cellAt(part, row, column),
    bounds: part.bounds,
  });
  const cellOf: FlowTable['cellOf'] = (arc) => {
    const past = arc - rows * columns;
    if (past < 0) return found(cells, Math.floor(arc / columns), arc % columns);
    if (past < rows) return found(ofRows, past, 0);
    return past < rows + columns ? found(ofColumns, 0, past - rows) : found(total, 0, 0);
  };
  return { load, cellOf };
};
