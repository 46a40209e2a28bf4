import type { Counts } from '../table/count-cells.ts';
import { blockKey, type ReleasedTable } from '../table/released-table.ts';
import type { CellBounds } from './cell-bounds.ts';
import { arcsOf, Circulation, newSlack, surelyFree, type Slack } from './slack.ts';
import { feasibleValues, freedomOf } from './flow-network.ts';

/**
 * A two-way table of dimensions of which every unit has one cell: of a two-way block, or of a three-way one with a cell
 * of the third dimension fixed.
 */
export interface Slice {
  /** Filled by `load`; shared by the slices of one block. */
  readonly circulation: Circulation;
  readonly slack: Slack;
  /** Copies the bounds and the true counts, a circulation that is feasible, into the arcs. */
  readonly load: () => void;
  /** The block and cell that an arc stands for. */
  readonly cellOf: (arc: number) => { readonly key: string; readonly cell: number };
  /** Narrows the cells to what the circulation allows. */
  readonly narrow: () => void;
}

/** Every slice of a table. */
export function* slicesOf(table: ReleasedTable, bounds: CellBounds, counts: Counts): Generator<Slice> {
  for (const { dimensions, sizes } of table.blocks.values()) {
    if (dimensions[0] === dimensions[1]) continue;
    const isList = dimensions.map((position) => table.dimensions[position]!.isMulti);
    if (dimensions.length === 2 && !isList.includes(true))
      yield* slicesAcross([0, 1], null, { dimensions, sizes }, bounds, counts);
    if (dimensions.length === 3)
      for (const fixed of [0, 1, 2]) {
        const [row, column] = [0, 1, 2].filter((depth) => depth !== fixed) as [number, number];
        if (!isList[row]! && !isList[column]!)
          yield* slicesAcross([row, column], fixed, { dimensions, sizes }, bounds, counts);
      }
  }
}

interface Shape {
  readonly dimensions: readonly number[];
  readonly sizes: readonly number[];
}

/** Where one kind of a slice's arcs is in its block. */
interface Part {
  readonly key: string;
  readonly lower: Int32Array;
  readonly upper: Int32Array;
  readonly counts: Uint32Array;
  /** How far apart the arcs of neighbouring rows, columns and slices are there. */
  readonly stride: { readonly row: number; readonly column: number; readonly slice: number };
}

function* slicesAcross(
  [row, column]: readonly [number, number],
  fixed: number | null,
  shape: Shape,
  bounds: CellBounds,
  counts: Counts,
): Generator<Slice> {
  const [rows, columns] = [shape.sizes[row]!, shape.sizes[column]!];
  const circulation = new Circulation(rows, columns);
  const slack = newSlack(circulation);
  const part = (depths: readonly number[]): Part => {
    const sorted = [...depths, ...(fixed === null ? [] : [fixed])].sort((left, right) => left - right);
    return partOf(sorted, { row, column, slice: fixed }, shape, bounds, counts);
  };
  const parts = [part([row, column]), part([row]), part([column]), part([])] as const;
  const slices = fixed === null ? 1 : shape.sizes[fixed]!;
  for (let slice = 0; slice < slices; slice += 1) yield { ...sliceOf(circulation, parts, slice), slack };
}

const partOf = (
  depths: readonly number[],
  { row, column, slice }: { readonly row: number; readonly column: number; readonly slice: number | null },
  { dimensions, sizes }: Shape,
  bounds: CellBounds,
  counts: Counts,
): Part => {
  const stride = (depth: number | null): number =>
    depth === null || !depths.includes(depth)
      ? 0
      : depths.slice(depths.indexOf(depth) + 1).reduce((product, later) => product * sizes[later]!, 1);
  const key = blockKey(depths.map((depth) => dimensions[depth]!));
  const { lower, upper } = key === '' ? bounds.total : bounds.blocks.get(key)!;
  return {
    key,
    lower,
    upper,
    counts: key === '' ? Uint32Array.of(counts.total) : counts.blocks.get(key)!,
    stride: { row: stride(row), column: stride(column), slice: stride(slice) },
  };
};

const sliceOf = (
  circulation: Circulation,
  parts: readonly [cells: Part, rows: Part, columns: Part, total: Part],
  slice: number,
): Omit<Slice, 'slack'> => {
  const { rows, columns, flow, lower, upper } = circulation;
  const [cells, ofRows, ofColumns, total] = parts;
  const fill = (part: Part, from: number, height: number, width: number): void => {
    let arc = from;
    for (let row = 0; row < height; row += 1) {
      let cell = slice * part.stride.slice + row * part.stride.row;
      for (let column = 0; column < width; column += 1, arc += 1, cell += part.stride.column) {
        lower[arc] = part.lower[cell]!;
        upper[arc] = part.upper[cell]!;
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
  const placeOfArc = (arc: number): { readonly part: Part; readonly cell: number } => {
    const start = (part: Part): number => slice * part.stride.slice;
    const past = arc - rows * columns;
    if (past < 0) {
      const [row, column] = [Math.floor(arc / columns), arc % columns];
      return { part: cells, cell: start(cells) + row * cells.stride.row + column * cells.stride.column };
    }
    if (past < rows) return { part: ofRows, cell: start(ofRows) + past * ofRows.stride.row };
    if (past < rows + columns)
      return { part: ofColumns, cell: start(ofColumns) + (past - rows) * ofColumns.stride.column };
    return { part: total, cell: start(total) };
  };
  const narrow = (): void => {
    load();
    for (let arc = 0; arc < arcsOf(rows, columns); arc += 1) {
      const { part, cell } = placeOfArc(arc);
      part.lower[cell] = Math.max(part.lower[cell]!, flow[arc]! - freedomOf(circulation, arc, 'down'));
      part.upper[cell] = Math.min(part.upper[cell]!, flow[arc]! + freedomOf(circulation, arc, 'up'));
    }
  };
  const cellOf = (arc: number): { readonly key: string; readonly cell: number } => {
    const { part, cell } = placeOfArc(arc);
    return { key: part.key, cell };
  };
  return { circulation, load, cellOf, narrow };
};

/** The hidden cells and margins of a slice with fewer feasible values than required. */
export function* auditSlice(
  slice: Slice,
  { threshold, required }: { readonly threshold: number; readonly required: number },
  isSecret: (block: string, cell: number) => boolean,
): Generator<{ readonly key: string; readonly cell: number; readonly feasible: number }> {
  const { circulation, slack, load, cellOf } = slice;
  load();
  if (circulation.lower.every((least) => least >= threshold)) return;
  const isFree = surelyFree(circulation, slack, required);
  for (let arc = 0; arc < circulation.flow.length; arc += 1) {
    if (circulation.lower[arc]! >= threshold || isFree(arc)) continue;
    const { key, cell } = cellOf(arc);
    if (!isSecret(key, cell)) continue;
    const feasible = feasibleValues(circulation, arc, required);
    if (feasible < required) yield { key, cell, feasible };
  }
}
