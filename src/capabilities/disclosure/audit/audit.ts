import type { Counts } from '../table/count-cells.ts';
import type { ReleasedTable } from '../table/released-table.ts';
import { impossible, coordinatesOf, publishedBounds, type CellBounds } from './cell-bounds.ts';
import { propagate } from './propagation.ts';
import { auditFlow, narrowByFlow, type FlowTable } from './flow-network.ts';
import { hierarchiesOf } from './hierarchies.ts';
import { slicesOf } from './slices.ts';

export interface AuditReport {
  /** The number of cells of all blocks, except those that are empty by definition of their dimensions. */
  readonly cells: number;
  /** The number of cells with a count below the threshold. */
  readonly hidden: number;
  /** The minimum number of feasible values of a hidden cell. */
  readonly required: number;
  /** All hidden cells with fewer feasible values. Empty: the audit has passed. */
  readonly failures: readonly AuditFailure[];
  /** The result for joint tables of four dimensions, or why they were not solved; unset for a table that failed before. */
  readonly joint?: JointOutcome;
}

export interface AuditFailure {
  /** The field and cell of each dimension, by index. */
  readonly cell: readonly { readonly dimension: number; readonly cell: number }[];
  /** The maximum number of feasible values. */
  readonly feasible: number;
  /** Who can infer it: every reader of the release, or only readers who also know which cells are empty. */
  readonly knowing: 'release' | 'zeros';
}

/** The findings in the joint tables of sets of characteristics. */
export interface JointReport {
  /** How many characteristics are in a set: four, or all if there are fewer. */
  readonly size: number;
  readonly sets: number;
  /** Sets that are too large to be solved. */
  readonly unsolved: number;
  readonly failures: readonly AuditFailure[];
}

export type JointOutcome =
  | (JointReport & { readonly kind: 'solved' })
  | { readonly kind: 'unsolved'; readonly why: string };

/** How many values every hidden cell must still be able to have. */
const requiredValues = (threshold: number): number => Math.max(5, Math.ceil(threshold / 2));

/**
 * Whether a release may be published: no hidden cell may be pinned to fewer than `requiredValues`, neither from the
 * release alone nor with the knowledge of all true zeros.
 *
 *   for both kinds of reader, who knows more first:
 *     narrow all cells by the sums they are part of, to a fixpoint     (propagation.ts)
 *     for each two-way table, and each slice of a three-way one:       (slices.ts)
 *       the values a hidden cell or margin can have, by maximum flow   (flow-network.ts)
 *     the same of each over a declared hierarchy                       (hierarchies.ts)
 *
 * This is exact for each two-way table with the bounds that other tables give it; what several tables say together
 * beyond that is examined for four dimensions at a time (joint-audit.ts). Lists have no flow, since their values
 * overlap: propagation alone bounds them.
 */
export const audit = (table: ReleasedTable, counts: Counts): AuditReport => {
  const required = requiredValues(table.threshold);
  const withZeros = auditFor(table, counts, counts, required, () => true);
  const failed = new Set(withZeros.map(nameOf));
  // a reader who knows less cannot rule out more: only true zeros remain, which the other reader knew
  const byAll = auditFor(
    table,
    counts,
    null,
    required,
    (key, cell) => countOf(counts, key, cell) === 0 || failed.has(nameOf({ key, cell })),
  );
  const known = new Set(byAll.map(nameOf));
  const failures = [...byAll, ...withZeros.filter((one) => !known.has(nameOf(one)))];
  return {
    ...sizeOf(table),
    required,
    failures: failures.map(({ failure }) => failure),
  };
};

/** A failure and its location. */
interface Found {
  readonly key: string;
  readonly cell: number;
  readonly failure: AuditFailure;
}

/** The true count of a cell; for the block without a name, all units. */
export const countOf = ({ blocks, total }: Counts, key: string, cell: number): number =>
  blocks.get(key)?.[cell] ?? total;

export const nameOf = ({ key, cell }: Pick<Found, 'key' | 'cell'>): string => `${key} ${cell}`;

const auditFor = (
  table: ReleasedTable,
  counts: Counts,
  zeros: Counts | null,
  required: number,
  isExamined: IsSecret,
): Found[] => {
  const bounds = publishedBounds(table, zeros);
  propagate(table, bounds);
  const knowing = zeros === null ? 'release' : 'zeros';
  const failures: Found[] = [];
  const hidden = secretCells(table, counts, zeros);
  const isSecret: IsSecret = (key, cell) => hidden(key, cell) && isExamined(key, cell);
  const fail = (key: string, cell: number, feasible: number): void => {
    failures.push({ key, cell, failure: { cell: placeOf(table, key, cell), feasible, knowing } });
  };
  for (const [key, { lower, upper }] of [...bounds.blocks, ['', bounds.total] as const])
    for (let cell = 0; cell < lower.length; cell += 1) {
      const feasible = upper[cell]! - lower[cell]! + 1;
      if (feasible < required && isSecret(key, cell)) fail(key, cell, feasible);
    }
  const reported = new Set(failures.map(nameOf));
  const rules = { threshold: table.threshold, required };
  for (const { key, cell, feasible } of byFlow(table, bounds, counts, rules, isSecret, reported))
    fail(key, cell, feasible);
  return failures;
};

/** The cell of each dimension that a cell of a block belongs to. */
export const placeOf = (table: ReleasedTable, key: string, cell: number): AuditFailure['cell'] => {
  const block = table.blocks.get(key);
  const at = block === undefined ? [] : coordinatesOf(cell, block.sizes);
  return at.map((value, depth) => ({ dimension: block!.dimensions[depth]!, cell: value }));
};

/**
 * The cells with too few values by the flows of each two-way table, each once.
 * @param reported the names of cells that are known to fail
 */
function* byFlow(
  table: ReleasedTable,
  bounds: CellBounds,
  counts: Counts,
  rules: { readonly threshold: number; readonly required: number },
  isSecret: IsSecret,
  reported: Set<string>,
): Generator<Pick<Found, 'key' | 'cell'> & { readonly feasible: number }> {
  const isNew: IsSecret = (key, cell) => isSecret(key, cell) && !reported.has(nameOf({ key, cell }));
  for (const one of flowTables(table, bounds, counts))
    for (const found of auditFlow(one, rules, isNew)) {
      reported.add(nameOf(found));
      yield found;
    }
}

function* flowTables(table: ReleasedTable, bounds: CellBounds, counts: Counts): Generator<FlowTable> {
  yield* slicesOf(table, bounds, counts);
  yield* hierarchiesOf(table, bounds, counts);
}

/** Whether a cell is hidden and not known to be empty. */
type IsSecret = (block: string, cell: number) => boolean;

export const secretCells = (table: ReleasedTable, counts: Counts, zeros: Counts | null): IsSecret => {
  const known = new Map<string, Set<number>>();
  for (const [key, block] of table.blocks) known.set(key, new Set(impossible(table, block)));
  return (key, cell) => {
    const block = table.blocks.get(key);
    if (block === undefined) return table.total === 0 && (zeros === null || counts.total > 0);
    if (block.levels[cell] !== 0 || known.get(key)!.has(cell)) return false;
    return zeros === null || counts.blocks.get(key)![cell]! > 0;
  };
};

const sizeOf = (table: ReleasedTable): { readonly cells: number; readonly hidden: number } => {
  let [cells, hidden] = [0, 0];
  for (const block of table.blocks.values()) {
    const empty = impossible(table, block);
    cells += block.levels.length - empty.length;
    hidden += block.levels.reduce((sum, level) => sum + (level === 0 ? 1 : 0), 0) - empty.length;
  }
  return { cells, hidden };
};

/**
 * The feasible values of each cell according to the audit; for comparison with other methods.
 * @returns by blockKey, lower and upper of each cell
 */
export const auditedBounds = (table: ReleasedTable, counts: Counts, zeros: Counts | null): CellBounds => {
  const bounds = publishedBounds(table, zeros);
  propagate(table, bounds);
  for (const one of flowTables(table, bounds, counts)) narrowByFlow(one);
  propagate(table, bounds);
  return bounds;
};
