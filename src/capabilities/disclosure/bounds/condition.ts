import type { CellsFormula, Formula } from './formula.ts';

/** A unit is in one of the cells of a dimension, or in none of them. */
export interface Condition {
  /** Equal conditions have equal ids; see `conditionsFrom`. */
  readonly id: number;
  readonly dimension: number;
  /** Ascending. */
  readonly cells: readonly number[];
  /** Only for lists. */
  readonly isNegated: boolean;
}

/** The number of distinct ids of conditions. */
export const maxConditions = 4_096;

/**
 * The conditions on different dimensions whose conjunction a formula is, as nearly all formulas of portals are.
 * @returns null for any other formula
 */
export type ConditionsOf = (formula: Formula) => readonly Condition[] | null;

/** @param forget is called before ids are reused */
export const conditionsFrom = (forget: () => void): ConditionsOf => {
  const known = new Map<string, Condition>();
  const condition = (part: Formula): Condition | null => {
    const found = known.get(part.key);
    if (found !== undefined) return found;
    const of = cellsOf(part);
    if (of === null) return null;
    const { dimension, cells } = of;
    const made = { id: known.size, dimension, cells, isNegated: part.kind === 'not' };
    known.set(part.key, made);
    return made;
  };
  return (formula) => {
    const parts = formula.kind === 'and' ? formula.of : [formula];
    if (parts.length > formula.uses.size) return null;
    if (known.size + parts.length > maxConditions) {
      known.clear();
      forget();
    }
    const found = parts.map(condition);
    return found.includes(null) ? null : (found as readonly Condition[]);
  };
};

const cellsOf = (part: Formula): CellsFormula | null =>
  part.kind === 'in' ? part : part.kind === 'not' ? part.of : null;
