import type { Counts } from '../table/count-cells.ts';
import { combinations, type ReleasedTable } from '../table/released-table.ts';
import { countOf, nameOf, placeOf, secretCells, type AuditFailure, type JointReport } from './audit.ts';
import { publishedBounds } from './cell-bounds.ts';
import { jointTable, type JointTable } from './joint-tables.ts';
import { propagate } from './propagation.ts';

/** Solves linear programs over one joint table. */
export interface LinearSolver {
  /**
   * The values of all sums of the table at which the sum of some columns is least or greatest.
   * @returns null if no solution is found
   */
  readonly valuesAt: (end: 'least' | 'greatest', columns: readonly number[]) => ArrayLike<number> | null;
  readonly close: () => void;
}

/**
 * The hidden cells with fewer feasible values than required in the joint table of any four characteristics: a linear
 * program for each end of each cell, over all ways in which a unit can have the four. For a table whose audit has passed.
 */
export const auditSets = (
  table: ReleasedTable,
  counts: Counts,
  required: number,
  open: (joint: JointTable) => LinearSolver,
): JointReport => {
  const size = Math.min(4, table.dimensions.length);
  const single = table.dimensions.map(() => ({ isMulti: false }));
  const sets = combinations(single, size).filter(({ length }) => length === size);
  const failures = new Map<string, AuditFailure>();
  const unsolved = new Set<readonly number[]>();
  for (const zeros of [counts, null]) {
    const bounds = publishedBounds(table, zeros);
    propagate(table, bounds);
    const isHidden = secretCells(table, counts, zeros);
    // a reader who knows less cannot rule out more
    const isSecret = (key: string, cell: number): boolean =>
      isHidden(key, cell) && (zeros !== null || countOf(counts, key, cell) === 0);
    for (const set of sets) {
      const joint = jointTable(table, bounds, set);
      const found = joint && narrowCells(joint, counts, required, isSecret, open);
      if (found === null) unsolved.add(set);
      for (const { key, cell, feasible } of found ?? []) {
        const known = failures.get(nameOf({ key, cell }));
        if (known !== undefined && known.feasible <= feasible) continue;
        const knowing = zeros === null ? 'release' : 'zeros';
        failures.set(nameOf({ key, cell }), { cell: placeOf(table, key, cell), feasible, knowing });
      }
    }
  }
  return { size, sets: sets.length, unsolved: unsolved.size, failures: [...failures.values()] };
};

interface NarrowCell {
  readonly key: string;
  readonly cell: number;
  readonly feasible: number;
}

/** The tolerance for rounding in the solver. */
const tolerance = 1e-6;

/** @returns null when the table cannot be solved */
const narrowCells = (
  { columns, sums }: JointTable,
  counts: Counts,
  required: number,
  isSecret: (key: string, cell: number) => boolean,
  open: (joint: JointTable) => LinearSolver,
): readonly NarrowCell[] | null => {
  const secret = [...sums.keys()].filter((index) => isSecret(sums[index]!.key, sums[index]!.cell));
  if (secret.length === 0) return [];
  // every solution shows values that cells can have, and the true counts are a solution
  const least = Float64Array.from(sums, ({ key, cell }) => countOf(counts, key, cell));
  const greatest = least.slice();
  const feasibleOf = (index: number): number =>
    Math.floor(greatest[index]! + tolerance) - Math.ceil(least[index]! - tolerance) + 1;
  const solver = open({ columns, sums });
  try {
    for (const index of secret)
      for (const end of ['greatest', 'least'] as const) {
        if (feasibleOf(index) >= required) break;
        const values = solver.valuesAt(end, sums[index]!.columns);
        if (values === null) return null;
        for (const other of secret) {
          least[other] = Math.min(least[other]!, values[other]!);
          greatest[other] = Math.max(greatest[other]!, values[other]!);
        }
      }
  } finally {
    solver.close();
  }
  return secret.flatMap((index) => {
    const [feasible, { key, cell }] = [feasibleOf(index), sums[index]!];
    return feasible < required ? [{ key, cell, feasible }] : [];
  });
};
