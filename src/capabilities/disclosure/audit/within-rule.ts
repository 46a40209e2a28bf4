import { blockKey, type ReleasedTable } from '../table/released-table.ts';
import type { BlockBounds, CellBounds, Rule } from './cell-bounds.ts';
import { coordinatesOf, lowerTo, raise } from './cell-bounds.ts';

/** A cell of the outer dimension, with everything else fixed, and the cells of the block that lie within it. */
interface OuterRow {
  readonly outer: number;
  readonly inner: readonly number[];
  /** Cells that are declared to lie within no outer value: each counts here at most with what it shares with the outer value. */
  readonly others: readonly { readonly cell: number; readonly shared: number }[];
}

/**
 * A declared hierarchy as rows of the sums: codes with the sites that they lie within, everything else fixed.
 *
 *   both with one value:   sum of the codes <= site <= sum of the codes + sum of the others, each with what it shares
 *   a list of codes:       largest of the codes <= site, since they overlap
 *   a list of sites:       sum of the codes <= site, which has more
 */
export const withinRule = (
  table: ReleasedTable,
  bounds: CellBounds,
  block: BlockBounds,
  depth: number,
): Rule => {
  const { isMulti, within } = table.dimensions[block.dimensions[depth]!]!;
  const isParted = !isMulti && !table.dimensions[within!.dimension]!.isMulti;
  const chosen = block.dimensions.with(depth, within!.dimension);
  const above = bounds.blocks.get(blockKey(chosen.toSorted((left, right) => left - right)));
  const shared = bounds.blocks.get(
    blockKey([block.dimensions[depth]!, within!.dimension].sort((left, right) => left - right)),
  );
  if (above === undefined || shared === undefined) return () => false;
  const rows = outerRows(within!, block, depth, above, shared);
  return () => {
    let changed = false;
    for (const row of rows) {
      if (atLeast(block, above, row, isMulti)) changed = true;
      if (isParted && atMost(block, above, shared, row)) changed = true;
    }
    return changed;
  };
};

const atLeast = (
  block: BlockBounds,
  above: BlockBounds,
  { outer, inner }: OuterRow,
  isList: boolean,
): boolean => {
  // millions of rows, repeatedly: no list for each
  let least = 0;
  for (const cell of inner) least = isList ? Math.max(least, block.lower[cell]!) : least + block.lower[cell]!;
  let changed = raise(above, outer, least);
  for (const cell of inner) {
    const besides = isList ? 0 : least - block.lower[cell]!;
    if (lowerTo(block, cell, above.upper[outer]! - besides)) changed = true;
  }
  return changed;
};

const atMost = (
  block: BlockBounds,
  above: BlockBounds,
  pairs: BlockBounds,
  { outer, inner, others }: OuterRow,
): boolean => {
  let most = 0;
  for (const { cell, shared } of others) most += Math.min(block.upper[cell]!, pairs.upper[shared]!);
  for (const cell of inner) most += block.upper[cell]!;
  let changed = lowerTo(above, outer, most);
  for (const cell of inner)
    if (raise(block, cell, above.lower[outer]! - (most - block.upper[cell]!))) changed = true;
  return changed;
};

const outerRows = (
  within: NonNullable<ReleasedTable['dimensions'][number]['within']>,
  block: BlockBounds,
  depth: number,
  above: BlockBounds,
  pairs: BlockBounds,
): readonly OuterRow[] => {
  const inner = Array.from(above.lower, (): number[] => []);
  const others = Array.from(above.lower, (): OuterRow['others'][number][] => []);
  const outerSize = above.sizes[above.dimensions.indexOf(within.dimension)]!;
  const isFirst = pairs.dimensions[0] === within.dimension;
  for (let cell = 0; cell < block.lower.length; cell += 1) {
    const at = coordinatesOf(cell, block.sizes);
    const own = at[depth]!;
    const outerAt = (value: number): number =>
      above.dimensions.reduce((sum, dimension, index) => {
        const here = dimension === within.dimension ? value : at[block.dimensions.indexOf(dimension)]!;
        return sum * above.sizes[index]! + here;
      }, 0);
    const value = within.cells[own] ?? null;
    if (value !== null) inner[outerAt(value)]!.push(cell);
    else
      for (let each = 0; each < outerSize; each += 1) {
        const shared = isFirst ? each * pairs.sizes[1]! + own : own * pairs.sizes[1]! + each;
        others[outerAt(each)]!.push({ cell, shared });
      }
  }
  return inner.map((cells, outer) => ({ outer, inner: cells, others: others[outer]! }));
};
