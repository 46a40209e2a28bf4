import type { PrivateTable } from '../../../../src/capabilities/disclosure/renewal/renewal.ts';
import { combinations } from '../../../../src/capabilities/disclosure/table/released-table.ts';

/** What is published of each person: the cells of a vector, or of those in one stratum. */
const publishedCells = (
  { strata }: PrivateTable,
  stratum: string | null = null,
): ReadonlyMap<bigint, readonly string[]> =>
  new Map(
    strata.flatMap(({ value, ids, vectors, vectorOf }) => {
      if (stratum !== null && value !== stratum) return [];
      const cells = vectors.map((vector) => vector.split(';'));
      return Array.from(ids, (id, unit) => [id, cells[vectorOf[unit]!]!] as const);
    }),
  );

/** What is published of some persons before and now, if anything. */
interface Changed {
  readonly left: readonly string[] | undefined;
  readonly right: readonly string[] | undefined;
  readonly persons: number;
}

interface Changes {
  readonly groups: readonly Changed[];
  /** How many persons there are now. */
  readonly size: number;
}

/** The persons of whom anything is published otherwise, by what is. */
const changesOf = (before: PrivateTable, now: PrivateTable, stratum: string | null): Changes => {
  const [old, next] = [publishedCells(before, stratum), publishedCells(now, stratum)];
  const groups = new Map<string, Changed>();
  for (const id of new Set([...old.keys(), ...next.keys()])) {
    const [left, right] = [old.get(id), next.get(id)];
    const [from, to] = [left?.join(';'), right?.join(';')];
    if (from === to) continue;
    const name = `${from}|${to}`;
    groups.set(name, { left, right, persons: (groups.get(name)?.persons ?? 0) + 1 });
  }
  return { groups: [...groups.values()], size: next.size };
};

/** By both releases and the stratum: a pair is compared in every block. */
const knownChanges = new WeakMap<PrivateTable, WeakMap<PrivateTable, Map<string | null, Changes>>>();

const changesBetween = (before: PrivateTable, now: PrivateTable, stratum: string | null): Changes => {
  const ofBefore = knownChanges.get(before) ?? new WeakMap<PrivateTable, Map<string | null, Changes>>();
  knownChanges.set(before, ofBefore);
  const ofBoth = ofBefore.get(now) ?? new Map<string | null, Changes>();
  ofBefore.set(now, ofBoth);
  const changes = ofBoth.get(stratum) ?? changesOf(before, now, stratum);
  ofBoth.set(stratum, changes);
  return changes;
};

/** How many blocks differ, in what is counted, because of 1 to m - 1 persons. */
export const tellingBlocks = (before: PrivateTable, now: PrivateTable): number =>
  [[], ...combinations(now.dimensions, now.order)].filter((block) => {
    const { persons, required, isVisible } = changeOf(before, now, block, null);
    return persons < required && isVisible;
  }).length;

/** How two releases differ in one block. */
export interface BlockChange {
  /** Who came, went, or changed in the block, as it is published. */
  readonly persons: number;
  /** How many there have to be. */
  readonly required: number;
  /** Whether any count of the block differs. */
  readonly isVisible: boolean;
}

/**
 * @param block the positions of its dimensions
 * @param stratum null: all together
 */
export const changeOf = (
  before: PrivateTable,
  now: PrivateTable,
  block: readonly number[],
  stratum: string | null,
): BlockChange => {
  const { groups, size } = changesBetween(before, now, stratum);
  const counts = new Map<string, number>();
  const cellOf = (cells: readonly string[] | undefined): string | undefined =>
    cells && block.map((dimension) => cells[dimension]).join();
  let changed = 0;
  for (const { left, right, persons } of groups) {
    const [from, to] = [cellOf(left), cellOf(right)];
    if (from === to) continue;
    changed += persons;
    if (from !== undefined) counts.set(from, (counts.get(from) ?? 0) - persons);
    if (to !== undefined) counts.set(to, (counts.get(to) ?? 0) + persons);
  }
  return {
    persons: changed,
    required: Math.max(10 * now.threshold, Math.ceil(size / 100)),
    isVisible: [...counts.values()].some((one) => one !== 0),
  };
};
