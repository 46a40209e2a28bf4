import type { ReleasedTable } from '../table/released-table.ts';

/** A condition on units in terms of the cells they are in, simplified: negations occur only before lists. */
export type Formula = { readonly key: string; readonly uses: ReadonlySet<number> } & (
  | { readonly kind: 'constant'; readonly value: boolean }
  /** The unit is in one of the cells, which are neither none nor all of the dimension; ascending. */
  | { readonly kind: 'in'; readonly dimension: number; readonly cells: readonly number[] }
  /** Only for lists: a dimension in which each unit has one cell has another `in` instead. */
  | { readonly kind: 'not'; readonly of: CellsFormula }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Formula[] }
);

export type CellsFormula = Formula & { readonly kind: 'in' };
type Group = 'and' | 'or';

/** What formulas need to know about each dimension. */
export interface DimensionShape {
  readonly size: number;
  readonly isMulti: boolean;
  /** The cell of units without a value, which excludes all other cells, even in a list; null if there is none. */
  readonly missing: number | null;
}

const constant = (value: boolean): Formula => ({
  kind: 'constant',
  value,
  key: value ? '1' : '0',
  uses: new Set(),
});
/** Every unit satisfies it. */
export const always = constant(true);
/** No unit satisfies it. */
export const never = constant(false);

/** Builds formulas over dimensions; equal keys mean equal formulas. */
export interface Formulas {
  readonly isIn: (dimension: number, cells: readonly number[]) => Formula;
  readonly not: (formula: Formula) => Formula;
  readonly and: (of: readonly Formula[]) => Formula;
  readonly or: (of: readonly Formula[]) => Formula;
  /** The formula for units that are in this cell of a dimension that is not a list. */
  readonly conditionedOn: (formula: Formula, dimension: number, cell: number) => Formula;
}

/** Builders of simplified formulas over these dimensions, which formulas refer to by index. */
export const formulasOver = (dimensions: readonly DimensionShape[]): Formulas => {
  const isIn = (dimension: number, cells: readonly number[]): Formula => {
    const sorted = [...new Set(cells)].sort((left, right) => left - right);
    if (sorted.length === 0) return never;
    if (sorted.length === dimensions[dimension]!.size) return always;
    return {
      kind: 'in',
      dimension,
      cells: sorted,
      key: `${dimension}:${sorted.join('.')}`,
      uses: new Set([dimension]),
    };
  };
  const complements = new WeakMap<Formula, Formula>();
  const not = (formula: Formula): Formula => {
    const known = complements.get(formula) ?? complementOf(formula);
    complements.set(formula, known);
    return known;
  };
  const complementOf = (formula: Formula): Formula => {
    switch (formula.kind) {
      case 'constant':
        return formula.value ? never : always;
      case 'in':
        if (isPartition(dimensions[formula.dimension]!, formula.cells))
          return isIn(formula.dimension, otherCells(formula, dimensions));
        return { kind: 'not', of: formula, key: `!${formula.key}`, uses: formula.uses };
      case 'not':
        return formula.of;
      case 'and':
        return group('or', formula.of.map(not));
      case 'or':
        return group('and', formula.of.map(not));
    }
  };
  const group = (op: Group, of: readonly Formula[]): Formula => {
    const neutral = op === 'and' ? always : never;
    const absorbing = op === 'and' ? never : always;
    const flat = of.flatMap((part) => (part.kind === op ? part.of : [part]));
    const parts = merged(op, flat).filter(({ key }) => key !== neutral.key);
    if (parts.some(({ key }) => key === absorbing.key)) return absorbing;
    if (parts.length <= 1) return parts[0] ?? neutral;
    const sorted = parts.toSorted((left, right) => (left.key < right.key ? -1 : 1));
    const uses = new Set(sorted.flatMap((part) => [...part.uses]));
    return { kind: op, of: sorted, key: `${op}(${sorted.map(({ key }) => key).join(' ')})`, uses };
  };
  /** At most one condition on each dimension, if two can be merged into one. */
  const merged = (op: Group, parts: readonly Formula[]): Formula[] => {
    const found = new Map<string, Formula>();
    for (const part of parts) {
      const name = mergedName(op, part, dimensions);
      const before = found.get(name);
      found.set(name, before === undefined ? part : together(op, before, part));
    }
    return [...found.values()];
  };
  const together = (op: Group, left: Formula, right: Formula): Formula => {
    if (left.kind === 'in' && right.kind === 'in') {
      const shared = left.cells.filter((cell) => right.cells.includes(cell));
      return isIn(left.dimension, op === 'and' ? shared : [...left.cells, ...right.cells]);
    }
    if (left.kind === 'not' && right.kind === 'not')
      return not(isIn(left.of.dimension, [...left.of.cells, ...right.of.cells]));
    return left;
  };
  const conditionedOn = conditionedOnCell(group);
  return { isIn, not, and: (of) => group('and', of), or: (of) => group('or', of), conditionedOn };
};

const otherCells = ({ dimension, cells }: CellsFormula, dimensions: readonly DimensionShape[]): number[] =>
  Array.from({ length: dimensions[dimension]!.size }, (_, cell) => cell).filter(
    (cell) => !cells.includes(cell),
  );

/** Formulas for units with one known cell. */
const conditionedOnCell = (
  group: (op: Group, of: readonly Formula[]) => Formula,
): Formulas['conditionedOn'] => {
  const conditionedOn = (formula: Formula, dimension: number, cell: number): Formula => {
    if (!formula.uses.has(dimension)) return formula;
    switch (formula.kind) {
      case 'in':
        return formula.cells.includes(cell) ? always : never;
      case 'and':
      case 'or':
        return group(
          formula.kind,
          formula.of.map((part) => conditionedOn(part, dimension, cell)),
        );
      case 'constant':
      case 'not':
        return formula;
    }
  };
  return conditionedOn;
};

/** Parts with one name are merged: in a list, having one of some values and one of others differs from having one of both. */
const mergedName = (op: Group, part: Formula, dimensions: readonly DimensionShape[]): string => {
  if (part.kind === 'in' && (op === 'or' || !dimensions[part.dimension]!.isMulti))
    return `in ${part.dimension}`;
  if (part.kind === 'not' && op === 'and') return `not ${part.of.dimension}`;
  return part.key;
};

/** Whether no unit is in one of the cells and also in another one. */
const isPartition = ({ isMulti, missing, size }: DimensionShape, cells: readonly number[]): boolean =>
  !isMulti ||
  (missing !== null && (cells.includes(missing) ? cells.length === 1 : cells.length === size - 1));

/** What formulas need to know about a table's dimensions. */
export const shapesOf = ({ dimensions }: Pick<ReleasedTable, 'dimensions'>): DimensionShape[] =>
  dimensions.map(({ cells, isMulti }) => {
    const missing = cells.findIndex(({ kind }) => kind === 'missing');
    return { size: cells.length, isMulti, missing: missing < 0 ? null : missing };
  });
