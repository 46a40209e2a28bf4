import type { Interval } from '../table/interval.ts';
import { difference } from '../table/interval.ts';
import type { ReleasedTable } from '../table/released-table.ts';
import { intervalOf } from '../table/released-table.ts';
import { conditionsFrom, type Condition } from './condition.ts';
import type { CellsFormula, Formula } from './formula.ts';
import { listIn } from './list-bounds.ts';
import { keptMargins } from './kept-margins.ts';
import { newMargin, type Margins } from './margins.ts';
import { selectionBoundsOver } from './selection-bounds.ts';
import type { BoundsAt } from './subset-bounds.ts';

/** Blocks with more cells than this are not walked as a whole for one question. */
const maxBlock = 131_072;

/** What a margin costs, in cells of the budget for one cell walked: most are walked once for many questions. */
const cellsPerRead = 8;

/**
 * The bounds of formulas that are conditions on different dimensions; null for all others.
 * @param read is called with what the question costs, whatever is remembered of it
 */
export const selectionsOver = (
  table: ReleasedTable,
  read: (cells: number) => void,
): ((formula: Formula) => Interval | null) => {
  const whole = intervalOf(table.total, table.threshold);
  const plans = new Map<string, BoundsAt>();
  const made: Margins = newMargin(
    table,
    (condition) => ofListAlone(condition, table, whole),
    () => margins.of,
  );
  const margins = keptMargins(
    made,
    ({ lower }) => lower.length,
    () => plans.clear(),
  );
  const conditionsOf = conditionsFrom(margins.forget);
  const bounds = selectionBoundsOver({ table, margins: margins.of, whole, plans });
  return (formula) => {
    const walked = largestBlock(formula, table);
    const conditions = walked > maxBlock ? null : conditionsOf(formula);
    if (conditions === null) return null;
    read(walked / cellsPerRead);
    return bounds(conditions);
  };
};

const largestBlock = ({ uses }: Formula, { dimensions, order }: ReleasedTable): number =>
  [...uses]
    .map((dimension) => dimensions[dimension]!.cells.length)
    .sort((left, right) => right - left)
    .slice(0, order)
    .reduce((product, size) => product * size, 1);

/** A condition on one list and nothing else, of which the release knows pairs too. */
const ofListAlone = (
  { dimension, cells, isNegated }: Condition,
  table: ReleasedTable,
  whole: Interval,
): Interval => {
  const formula = { kind: 'in', dimension, cells, key: '', uses: new Set() } as CellsFormula;
  const held = listIn(formula, [], [], whole, { table, read: () => undefined });
  return isNegated ? difference(whole, held) : held;
};
