import type { Dimension } from '../table/released-table.ts';
import { changesBetween, movedIn } from './renewal.ts';
import { joinUnits, stratumVectors, type StratumVectors } from './unit-changes.ts';

/** A stratum with waiting changes, of which there are too few. */
export interface HeldStratum {
  readonly vectors: StratumVectors;
  /** The kinds of change that wait: in a dimension, by index, or units that were added or removed (null). */
  readonly waiting: readonly { readonly dimension: number | null; readonly units: number }[];
  /** How many units are not counted in their current state. */
  readonly waitingUnits: number;
  /** Whether no unit differs from the former table. */
  readonly isFormer: boolean;
}

/**
 * The units of a stratum, with small changes held back: a dimension in which fewer than the required number of units
 * changed keeps its former cells for existing units, and if fewer units were added or removed, they are left out, or stay.
 * Every block then differs by no unit, or by at least those of one of its dimensions.
 * @param before the former table, also by the cells of these dimensions
 * @param holdsMoves whether added and removed units wait however many they are
 */
export const holdChanges = (
  before: StratumVectors,
  now: StratumVectors,
  dimensions: readonly Dimension[],
  { required, holdsMoves }: { readonly required: number; readonly holdsMoves: boolean },
): HeldStratum => {
  const joined = joinUnits([before], [now], dimensions.map(asItself));
  const { vectors, oldVector, newVector, ids } = joined;
  const { pairs, net } = changesBetween(joined, new Set([0]), new Set([0]));
  const moves = movedIn(net);
  const differing = dimensions.map((_, dimension) =>
    pairs.reduce((sum, { count, differs }) => sum + ((differs >> dimension) & 1) * count, 0),
  );
  const areMovesHeld = holdsMoves || moves < required;
  const held = withHierarchies(
    differing.map((count) => count < required),
    dimensions,
  );
  let [waitingUnits, isFormer] = [0, true];
  const units = [...ids].flatMap((id, entry) => {
    const [old, next] = [vectors[oldVector[entry]!], vectors[newVector[entry]!]];
    const kept =
      old === undefined || next === undefined
        ? areMovesHeld
          ? old
          : next
        : next.map((cells, dimension) => (held[dimension] ? old[dimension]! : cells));
    if (kept?.join(';') !== next?.join(';')) waitingUnits += 1;
    if (kept?.join(';') !== old?.join(';')) isFormer = false;
    return kept === undefined ? [] : [{ id, vector: kept.join(';') }];
  });
  const waiting = [
    ...(areMovesHeld && moves > 0 ? [{ dimension: null, units: moves }] : []),
    ...differing.flatMap((count, dimension) =>
      held[dimension]! && count > 0 ? [{ dimension, units: count }] : [],
    ),
  ];
  return { vectors: stratumVectors(now.value, units), waiting, waitingUnits, isFormer };
};

/** Neither dimension of a declared hierarchy changes without the other. */
const withHierarchies = (held: boolean[], dimensions: readonly Dimension[]): readonly boolean[] => {
  // once for each dimension, since hierarchies may be stacked
  dimensions.forEach(() =>
    dimensions.forEach(({ within }, inner) => {
      if (within === undefined) return;
      const isHeld = held[inner]! || held[within.dimension]!;
      [held[inner], held[within.dimension]] = [isHeld, isHeld];
    }),
  );
  return held;
};

const asItself = ({ fieldName, isMulti, cells }: Dimension, position: number) => {
  const own = { position, classOf: [...cells.keys()] };
  return { fieldName, isMulti, before: own, now: own };
};
