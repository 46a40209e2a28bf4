import { blockKey, type ReleasedTable } from '../table/released-table.ts';
import { lowerTo, raise, type BlockBounds, type CellBounds, type Cells, type Rule } from './cell-bounds.ts';
import { withinRule } from './within-rule.ts';

/**
 * Narrows all cells by the sums they are part of, until nothing changes: cell - face - edge - total, in both
 * directions. A row is the cells of one dimension with everything else fixed, and its margin the cell of the block
 * without that dimension:
 *
 *   every unit has one cell:   margin = sum of the row
 *   a list, m without value:   m + largest of the row <= margin <= m + sum of the row
 *   values within another's:   sum of the values within <= the other <= that sum + what lies within none
 *     lists overlap:           largest of the values within <= the other
 *   pairs of one list:         a + b - (margin - m) <= ab <= min(a, b)
 */
export const propagate = (table: ReleasedTable, bounds: CellBounds): void => {
  const rules = [...bounds.blocks.values()].flatMap((block) => rulesOf(table, bounds, block));
  let changed = true;
  while (changed) changed = rules.map((rule) => rule()).includes(true);
};

const rulesOf = (table: ReleasedTable, bounds: CellBounds, block: BlockBounds): Rule[] => {
  const { dimensions: chosen, sizes } = block;
  if (chosen[0] === chosen[1]) return [pairRule(table, bounds, block)];
  return chosen.flatMap((position, depth) => {
    const margin = marginOf(
      bounds,
      chosen.filter((other) => other !== position),
    );
    const size = sizes[depth]!;
    const stride = sizes.slice(depth + 1).reduce((product, length) => product * length, 1);
    const { isMulti, cells, within } = table.dimensions[position]!;
    const missing = cells.findIndex(({ kind }) => kind === 'missing');
    const narrow = isMulti
      ? (row: number, start: number) => coverRow(block, margin, row, { start, stride, size, missing })
      : (row: number, start: number) => sumRow(block, margin, row, { start, stride, size });
    const rules: Rule[] = [() => eachRow(margin.lower.length, stride, size, narrow)];
    if (within !== undefined && !chosen.includes(within.dimension))
      rules.push(withinRule(table, bounds, block, depth));
    return rules;
  });
};

/** The cells of the block of these dimensions; of none of them, the total. */
const marginOf = (bounds: CellBounds, chosen: readonly number[]): Cells =>
  bounds.blocks.get(blockKey(chosen)) ?? bounds.total;

const eachRow = (
  rows: number,
  stride: number,
  size: number,
  narrow: (row: number, start: number) => boolean,
): boolean => {
  let changed = false;
  for (let row = 0; row < rows; row += 1) {
    const start = Math.floor(row / stride) * stride * size + (row % stride);
    if (narrow(row, start)) changed = true;
  }
  return changed;
};

interface Row {
  readonly start: number;
  readonly stride: number;
  readonly size: number;
}

const sumRow = (cells: Cells, margin: Cells, row: number, { start, stride, size }: Row): boolean => {
  const { lower, upper } = cells;
  let [least, most] = [0, 0];
  const end = start + stride * size;
  for (let at = start; at < end; at += stride) {
    least += lower[at]!;
    most += upper[at]!;
  }
  let changed = raise(margin, row, least);
  if (lowerTo(margin, row, most)) changed = true;
  const [from, to] = [margin.lower[row]!, margin.upper[row]!];
  for (let at = start; at < end; at += stride) {
    const [below, above] = [lower[at]!, upper[at]!];
    if (to - (least - below) < above) {
      upper[at] = to - (least - below);
      changed = true;
    }
    if (from - (most - above) > below) {
      lower[at] = from - (most - above);
      changed = true;
    }
  }
  return changed;
};

const coverRow = (
  cells: Cells,
  margin: Cells,
  row: number,
  { start, stride, size, missing }: Row & { readonly missing: number },
): boolean => {
  const { lower, upper } = cells;
  const without = missing < 0 ? -1 : start + missing * stride;
  const [emptyLower, emptyUpper] = without < 0 ? [0, 0] : [lower[without]!, upper[without]!];
  let [largest, most] = [0, 0];
  const end = start + stride * size;
  for (let at = start; at < end; at += stride) {
    if (at === without) continue;
    largest = Math.max(largest, lower[at]!);
    most += upper[at]!;
  }
  let changed = raise(margin, row, emptyLower + largest);
  if (lowerTo(margin, row, emptyUpper + most)) changed = true;
  const [from, to] = [margin.lower[row]!, margin.upper[row]!];
  if (without >= 0) {
    if (lowerTo(cells, without, to - largest)) changed = true;
    if (raise(cells, without, from - most)) changed = true;
  }
  for (let at = start; at < end; at += stride) {
    if (at === without) continue;
    const above = upper[at]!;
    if (lowerTo(cells, at, to - emptyLower)) changed = true;
    if (raise(cells, at, from - emptyUpper - (most - above))) changed = true;
  }
  return changed;
};

const pairRule = (table: ReleasedTable, bounds: CellBounds, block: BlockBounds): Rule => {
  const [position] = block.dimensions as [number];
  const [size] = block.sizes as [number];
  const values = bounds.blocks.get(blockKey([position]))!;
  const missing = table.dimensions[position]!.cells.findIndex(({ kind }) => kind === 'missing');
  return () => {
    const whole = bounds.total;
    const withValue = whole.upper[0]! - (missing < 0 ? 0 : values.lower[missing]!);
    let changed = false;
    for (let at = 0; at < size * size; at += 1) {
      const [left, right] = [Math.floor(at / size), at % size];
      if (left === missing || right === missing) continue;
      for (const value of [left, right]) {
        if (lowerTo(block, at, values.upper[value]!)) changed = true;
        if (raise(values, value, block.lower[at]!)) changed = true;
      }
      const least =
        left === right ? values.lower[left]! : values.lower[left]! + values.lower[right]! - withValue;
      if (raise(block, at, least)) changed = true;
    }
    return changed;
  };
};
