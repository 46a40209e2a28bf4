import { hash } from 'node:crypto';
import { cellFinder } from '../cells/cell-of.ts';
import type { DimensionCell } from '../table/released-table.ts';
import type { Units } from './read-units.ts';

/** A hash of each of these units with the cells it is in, ascending. */
export const unitFingerprints = (
  { ids, columns }: Units,
  chosen: readonly number[],
  cells: readonly (readonly DimensionCell[])[],
): BigUint64Array => {
  const cellsOf = cells.map((own, index) => {
    const find = cellFinder(own);
    return columns[index]!.values.map((value) => find(value));
  });
  const own = (unit: number, index: number): string => {
    const { first, several } = columns[index]!;
    const all = several.get(unit);
    if (all === undefined) return first[unit]! < 0 ? '[]' : `[${cellsOf[index]![first[unit]!]!}]`;
    const distinct = new Set([...all].map((number) => cellsOf[index]![number]!));
    return `[${[...distinct].sort((left, right) => left - right).join()}]`;
  };
  const hashes = new BigUint64Array(chosen.length);
  chosen.forEach((unit, position) => {
    // the JSON of [id, its cells of each dimension], which takes a third of the time this way
    let text = '';
    for (let index = 0; index < cells.length; index += 1) text += (index > 0 ? ',' : '') + own(unit, index);
    hashes[position] = hash('sha256', `[${JSON.stringify(ids[unit])},[${text}]]`, 'buffer').readBigUInt64LE(
      0,
    );
  });
  return hashes.sort();
};

/** How many units were added, removed or changed between two lists of fingerprints: a changed one is in neither both. */
export const changedUnits = (before: BigUint64Array, now: BigUint64Array): number => {
  let [left, right, gone, come] = [0, 0, 0, 0];
  while (left < before.length || right < now.length) {
    const [older, newer] = [before[left], now[right]];
    if (older !== undefined && older === newer) {
      left += 1;
      right += 1;
    } else if (newer === undefined || (older !== undefined && older < newer)) {
      gone += 1;
      left += 1;
    } else {
      come += 1;
      right += 1;
    }
  }
  return Math.max(gone, come);
};
