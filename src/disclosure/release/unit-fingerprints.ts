import { createHash } from 'node:crypto';
import { cellFinder } from '../cells/cell-of.ts';
import type { DimensionCell } from '../table/released-table.ts';
import type { Units } from './read-units.ts';

/** A hash of every unit with the cells it is in, ascending. */
export const unitFingerprints = (
  { ids, columns }: Units,
  cells: readonly (readonly DimensionCell[])[],
): BigUint64Array => {
  const cellsOf = cells.map((own, index) => {
    const find = cellFinder(own);
    return columns[index]!.values.map((value) => find(value));
  });
  const hashes = ids.map((id, unit) => {
    const own = cells.map((_, index) => {
      const { first, several } = columns[index]!;
      const numbers = several.get(unit) ?? (first[unit]! < 0 ? [] : [first[unit]!]);
      return [...new Set([...numbers].map((number) => cellsOf[index]![number]!))].sort(
        (left, right) => left - right,
      );
    });
    return createHash('sha256')
      .update(JSON.stringify([id, own]))
      .digest()
      .readBigUInt64LE(0);
  });
  return BigUint64Array.from(hashes).sort();
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
