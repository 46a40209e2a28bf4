import { combinations, type Dimension } from '../table/released-table.ts';
import { commonCoarsening } from './coarsening.ts';
import { areMostSame, joinUnits, type JoinedUnits, type StratumVectors } from './unit-changes.ts';

/** The data that a release was computed from: as private as the records. */
export interface PrivateTable {
  readonly threshold: number;
  readonly order: number;
  readonly dimensions: readonly Dimension[];
  readonly strata: readonly StratumVectors[];
}

/** A block whose difference between two tables would reveal few units. */
export interface Shortfall {
  /** The stratum; for several, how they are compared: `north -> both`. Null for all units. */
  readonly stratum: string | null;
  /**
   * The fields of the block, a list twice for pairs of its values; empty: the number of units; null: the units as a whole,
   * whatever block they changed in.
   */
  readonly fieldNames: readonly string[] | null;
  /** How many units changed in it; by the difference of its counts if identifiers are not stable. */
  readonly changed: number;
  readonly required: number;
}

/** The result of comparing two tables. */
export interface Renewal {
  /** Whether changes are counted by identifier; if not, only by the difference of the counts. */
  readonly areIdsStable: boolean;
  /** How many units changed in total. */
  readonly changed: number;
  readonly shortfalls: readonly Shortfall[];
}

/** How many units must have changed: fewer could be inferred from the difference of two tables. */
export const requiredChanges = (threshold: number, units: number): number =>
  Math.max(10 * threshold, Math.ceil(units / 100));

/**
 * The rule of renewal: whoever keeps two tables can subtract them, block by block, so in every block either nothing
 * changed or much. For every set of at most `order` dimensions that both tables have, each stratum, and all strata
 * together:
 *
 *   units    those whose cells of the block changed, who came or who went, by identifier, after equal whole vectors among
 *            those who came and went have cancelled: renumbered pseudonyms change nobody
 *   visible  the sum over the block's cells of |count now - before|; of lists, divided by the most cells that a unit has
 *
 *   a block passes when visible is 0, or units is at least m = max(10 k, 1 % of the units) and identifiers are stable,
 *   or visible itself is at least m
 *
 * Identifiers are stable when they are declared to be, unless the tables contradict it (areMostSame).
 *
 * Cells are those of the common coarsening of both tables. A stratum is compared with the one of its name and with
 * those that it shares at least half of the smaller one's units with, so that none is renewed by renaming, merging or
 * splitting.
 * @param stableIds whether an identifier is declared to mean the same unit in both
 */
export const compareTables = (before: PrivateTable, now: PrivateTable, stableIds: boolean): Renewal => {
  const dimensions = commonCoarsening(before.dimensions, now.dimensions);
  const joined = joinUnits(before.strata, now.strata, dimensions);
  const isStable = stableIds && areMostSame(joined);
  const blocks = [[], ...combinations(dimensions, Math.min(before.order, now.order))];
  const threshold = Math.max(before.threshold, now.threshold);
  const compared = comparisonsOf(before.strata, now.strata, joined).map(({ label, old, next }) => {
    const changes = changesBetween(joined, old, next);
    const required = requiredChanges(threshold, changes.units);
    const shortfalls = blocks.flatMap((block): readonly Shortfall[] => {
      const changed = changedIn(block, changes, { joined, required, isStable });
      const fieldNames = block.map((position) => dimensions[position]!.fieldName);
      return changed === 0 || changed >= required ? [] : [{ stratum: label, fieldNames, changed, required }];
    });
    return { changes, shortfalls };
  });
  const { pairs, net } = compared.at(-1)!.changes;
  return {
    areIdsStable: isStable,
    changed: pairs.reduce((sum, { count }) => sum + count, 0) + movedIn(net),
    shortfalls: compared.flatMap(({ shortfalls }) => shortfalls),
  };
};

/** Whether most units of two tables are equal, by their identifiers and what both tables contain about them. */
export const areSameUnits = (before: PrivateTable, now: PrivateTable): boolean => {
  const joined = joinUnits(before.strata, now.strata, commonCoarsening(before.dimensions, now.dimensions));
  return before.strata.some(({ ids }) => ids.length > 0) && areMostSame(joined);
};

/** Former and current strata that are subtracted from each other, by index. */
interface Comparison {
  readonly label: string | null;
  readonly old: ReadonlySet<number>;
  readonly next: ReadonlySet<number>;
}

const comparisonsOf = (
  before: readonly StratumVectors[],
  now: readonly StratumVectors[],
  joined: JoinedUnits,
): readonly Comparison[] => {
  const pairs = before.flatMap(({ value: left, ids }, old) =>
    now.flatMap(({ value: right, ids: nextIds }, next): readonly Comparison[] => {
      const isSame = left === right;
      const shared = isSame ? 0 : sharedUnits(joined, old, next);
      if (!isSame && (shared === 0 || 2 * shared < Math.min(ids.length, nextIds.length))) return [];
      return [
        {
          label: isSame ? left : `${left ?? 'none'} -> ${right ?? 'none'}`,
          old: new Set([old]),
          next: new Set([next]),
        },
      ];
    }),
  );
  const unions = unionsOf(pairs).filter(({ old, next }) => old.size + next.size > 2);
  const all = { label: null, old: new Set(before.keys()), next: new Set(now.keys()) };
  const isAll = ({ old, next }: Comparison): boolean =>
    old.size === all.old.size && next.size === all.next.size;
  return [...[...pairs, ...unions].filter((one) => !isAll(one)), all];
};

const sharedUnits = ({ oldStratum, newStratum }: JoinedUnits, old: number, next: number): number => {
  let shared = 0;
  for (let entry = 0; entry < oldStratum.length; entry += 1)
    if (oldStratum[entry] === old && newStratum[entry] === next) shared += 1;
  return shared;
};

/** Strata that were merged or split, together. */
const unionsOf = (pairs: readonly Comparison[]): readonly Comparison[] => {
  const unions: { label: string; old: Set<number>; next: Set<number> }[] = [];
  for (const { label, old, next } of pairs) {
    const touching = unions.filter((one) => hasAny(one.old, old) || hasAny(one.next, next));
    touching.forEach((one) => unions.splice(unions.indexOf(one), 1));
    unions.push({
      label: [...touching.map((one) => one.label), label ?? 'none'].join(', '),
      old: new Set([...old, ...touching.flatMap((one) => [...one.old])]),
      next: new Set([...next, ...touching.flatMap((one) => [...one.next])]),
    });
  }
  return unions;
};

const hasAny = (set: ReadonlySet<number>, others: ReadonlySet<number>): boolean =>
  [...others].some((one) => set.has(one));

/** The differences between two sets of strata. */
interface Changes {
  readonly units: number;
  /** Units whose cells differ from before, by their two vectors and the dimensions that differ (bits). */
  readonly pairs: readonly {
    readonly old: number;
    readonly next: number;
    readonly count: number;
    readonly differs: number;
  }[];
  /** Added units minus removed ones, by vector, after equal ones have cancelled. */
  readonly net: ReadonlyMap<number, number>;
}

/** @param old the former strata, by index @param next the current strata */
export const changesBetween = (
  { oldStratum, newStratum, oldVector, newVector, vectors }: JoinedUnits,
  old: ReadonlySet<number>,
  next: ReadonlySet<number>,
): Changes => {
  const pairs = new Map<number, number>();
  const net = new Map<number, number>();
  let units = 0;
  for (let entry = 0; entry < oldStratum.length; entry += 1) {
    const left = old.has(oldStratum[entry]!) ? oldVector[entry]! : -1;
    const right = next.has(newStratum[entry]!) ? newVector[entry]! : -1;
    if (left >= 0 || right >= 0) units += 1;
    if (left === right) continue;
    if (left >= 0 && right >= 0) {
      const pair = left * vectors.length + right;
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    } else if (right >= 0) net.set(right, (net.get(right) ?? 0) + 1);
    else net.set(left, (net.get(left) ?? 0) - 1);
  }
  return {
    units,
    net,
    pairs: [...pairs].map(([pair, count]) => {
      const [left, right] = [Math.floor(pair / vectors.length), pair % vectors.length];
      const differs = vectors[left]!.reduce(
        (bits, cells, dimension) => bits | (cells === vectors[right]![dimension] ? 0 : 1 << dimension),
        0,
      );
      return { old: left, next: right, count, differs };
    }),
  };
};

/** How many units were added or removed, without equal ones. */
export const movedIn = (net: ReadonlyMap<number, number>): number =>
  [...net.values()].reduce((sum, count) => sum + Math.abs(count), 0);

/** How much a block changed: 0 if no count of it differs, and at least the required number if it may be renewed. */
const changedIn = (
  block: readonly number[],
  { pairs, net }: Changes,
  {
    joined: { vectors },
    required,
    isStable,
  }: { readonly joined: JoinedUnits; readonly required: number; readonly isStable: boolean },
): number => {
  const bits = block.reduce((all, dimension) => all | (1 << dimension), 0);
  const own = pairs.filter(({ differs }) => (differs & bits) !== 0);
  const units = own.reduce((sum, { count }) => sum + count, 0) + movedIn(net);
  if (isStable && units >= required) return units;
  const counts = new Map<string, number>();
  let widest = 1;
  const add = (vector: number, by: number): void => {
    const cells = cellsOf(vectors[vector]!, block);
    widest = Math.max(widest, cells.length);
    for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + by);
  };
  net.forEach((count, vector) => add(vector, count));
  for (const { old, next, count } of own) {
    add(old, -count);
    add(next, count);
  }
  const visible = [...counts.values()].reduce((sum, count) => sum + Math.abs(count), 0) / widest;
  if (visible === 0) return 0;
  return isStable ? units : Math.ceil(visible);
};

/** The cells of a block that a unit is in; for a list with itself, its pairs of values. */
const cellsOf = (vector: readonly string[], block: readonly number[]): readonly string[] => {
  const isPair = block.length === 2 && block[0] === block[1];
  const lists = block.map((dimension) => vector[dimension]!.split(','));
  if (isPair)
    return lists[0]!.flatMap((left, index) => lists[0]!.slice(index).map((right) => `${left} ${right}`));
  return lists.reduce<readonly string[]>(
    (cells, list) => cells.flatMap((cell) => list.map((one) => `${cell} ${one}`)),
    [''],
  );
};
