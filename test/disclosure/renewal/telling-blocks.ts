import type { PrivateTable } from '../../../src/disclosure/renewal/renewal.ts';
import { combinations } from '../../../src/disclosure/table/released-table.ts';

/** What is published of each person. */
const publishedCells = ({ strata }: PrivateTable): ReadonlyMap<bigint, readonly string[]> =>
  new Map(
    strata.flatMap(({ ids, vectors, vectorOf }) => {
      const cells = vectors.map((vector) => vector.split(';'));
      return Array.from(ids, (id, unit) => [id, cells[vectorOf[unit]!]!] as const);
    }),
  );

/** How many blocks differ, in what is counted, because of 1 to m - 1 persons. */
export const tellingBlocks = (before: PrivateTable, now: PrivateTable): number => {
  const [old, next] = [publishedCells(before), publishedCells(now)];
  const blocks = [[], ...combinations(now.dimensions, now.order)];
  const required = Math.max(10 * now.threshold, Math.ceil(next.size / 100));
  const changed = [...new Set([...old.keys(), ...next.keys()])].flatMap((id) => {
    const [left, right] = [old.get(id), next.get(id)];
    return left?.join() === right?.join() ? [] : [[left, right] as const];
  });
  return blocks.filter((block) => {
    const counts = new Map<string, number>();
    const count = (cells: string | undefined, by: number): void => {
      if (cells !== undefined) counts.set(cells, (counts.get(cells) ?? 0) + by);
    };
    let persons = 0;
    for (const pair of changed) {
      const [left, right] = pair.map((cells) => cells && block.map((dimension) => cells[dimension]).join());
      if (left === right) continue;
      persons += 1;
      count(left, -1);
      count(right, 1);
    }
    return persons < required && [...counts.values()].some((one) => one !== 0);
  }).length;
};

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
  const part = (table: PrivateTable): PrivateTable => ({
    ...table,
    strata: table.strata.filter(({ value }) => stratum === null || value === stratum),
  });
  const [old, next] = [publishedCells(part(before)), publishedCells(part(now))];
  const counts = new Map<string, number>();
  const cellOf = (cells: readonly string[] | undefined): string | undefined =>
    cells && block.map((dimension) => cells[dimension]).join();
  let persons = 0;
  for (const id of new Set([...old.keys(), ...next.keys()])) {
    const [left, right] = [cellOf(old.get(id)), cellOf(next.get(id))];
    if (left === right) continue;
    persons += 1;
    if (left !== undefined) counts.set(left, (counts.get(left) ?? 0) - 1);
    if (right !== undefined) counts.set(right, (counts.get(right) ?? 0) + 1);
  }
  return {
    persons,
    required: Math.max(10 * now.threshold, Math.ceil(next.size / 100)),
    isVisible: [...counts.values()].some((one) => one !== 0),
  };
};
