import type { CoarseCells, CommonDimension } from './coarsening.ts';

/** The units of one stratum with the cells of each. As private as the records: they never leave the node. */
export interface StratumVectors {
  /** As in the release. */
  readonly value: string | null;
  /** A hash of each unit's identifier, ascending. */
  readonly ids: BigUint64Array;
  /** The distinct vectors: for each dimension the cells, ascending and joined by `,`; dimensions are joined by `;`. */
  readonly vectors: readonly string[];
  /** For each unit, the position of its vector. */
  readonly vectorOf: Uint32Array;
}

/** The vectors of units in any order. */
export const stratumVectors = (
  value: string | null,
  units: readonly { readonly id: bigint; readonly vector: string }[],
): StratumVectors => {
  const numbers = new Map<string, number>();
  const sorted = [...units].sort(byId);
  const vectorOf = Uint32Array.from(sorted, ({ vector }) => numberOf(vector, numbers));
  return {
    value,
    ids: BigUint64Array.from(sorted, ({ id }) => id),
    vectors: [...numbers.keys()],
    vectorOf,
  };
};

const byId = (left: { readonly id: bigint }, right: { readonly id: bigint }): number =>
  left.id < right.id ? -1 : left.id > right.id ? 1 : 0;

/** The units of two tables, joined by their identifiers. All arrays have one entry for each unit of either. */
export interface JoinedUnits {
  readonly ids: BigUint64Array;
  /** The distinct vectors over the common dimensions: for each dimension its classes, joined by `,`. */
  readonly vectors: readonly (readonly string[])[];
  /** Indexes of the former strata; -1 for a unit that was not there. */
  readonly oldStratum: Int32Array;
  readonly oldVector: Int32Array;
  readonly newStratum: Int32Array;
  readonly newVector: Int32Array;
}

/**
 * Joins the units of two tables by their identifiers. A unit that moved between strata, of which one stays as published,
 * is in both: its entries of one stratum are joined.
 */
export const joinUnits = (
  before: readonly StratumVectors[],
  now: readonly StratumVectors[],
  dimensions: readonly CommonDimension[],
): JoinedUnits => {
  const numbers = new Map<string, number>();
  const old = listUnits(
    before,
    numbers,
    dimensions.map((one) => one.before),
  );
  const next = listUnits(
    now,
    numbers,
    dimensions.map((one) => one.now),
  );
  const size = old.length + next.length;
  const columns = Array.from({ length: 4 }, () => new Int32Array(size).fill(-1));
  const [oldStratum, oldVector, newStratum, newVector] = columns as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  let count = 0;
  const ids = new BigUint64Array(size);
  const put = (left: ListedUnit | undefined, right: ListedUnit | undefined): void => {
    if (left !== undefined) [oldStratum[count], oldVector[count]] = [left.stratum, left.vector];
    if (right !== undefined) [newStratum[count], newVector[count]] = [right.stratum, right.vector];
    ids[count++] = (left ?? right)!.id;
  };
  for (let [left, right] = [0, 0]; left < old.length || right < next.length;) {
    const id = lesser(old[left]?.id, next[right]?.id);
    const [lefts, rights]: [ListedUnit[], ListedUnit[]] = [[], []];
    while (old[left]?.id === id) lefts.push(old[left++]!);
    while (next[right]?.id === id) rights.push(next[right++]!);
    for (const one of [...lefts]) {
      const { value } = before[one.stratum]!;
      const same = rights.find(({ stratum }) => now[stratum]!.value === value);
      if (same === undefined) continue;
      put(one, same);
      lefts.splice(lefts.indexOf(one), 1);
      rights.splice(rights.indexOf(same), 1);
    }
    for (let rest = 0; rest < Math.max(lefts.length, rights.length); rest += 1)
      put(lefts[rest], rights[rest]);
  }
  return {
    vectors: [...numbers.keys()].map((text) => text.split(';')),
    ids: ids.subarray(0, count),
    oldStratum: oldStratum.subarray(0, count),
    oldVector: oldVector.subarray(0, count),
    newStratum: newStratum.subarray(0, count),
    newVector: newVector.subarray(0, count),
  };
};

interface ListedUnit {
  readonly id: bigint;
  readonly stratum: number;
  readonly vector: number;
}

const lesser = (left: bigint | undefined, right: bigint | undefined): bigint =>
  right === undefined || (left !== undefined && left < right) ? left! : right;

/** The units of all strata by ascending identifier, with the numbers of their coarse vectors. */
const listUnits = (
  strata: readonly StratumVectors[],
  numbers: Map<string, number>,
  cells: readonly CoarseCells[],
): readonly ListedUnit[] => {
  const all = strata.flatMap(({ ids, vectors, vectorOf }, stratum) => {
    const isFine = areFine(vectors, cells);
    const coarse = vectors.map((vector) => numberOf(isFine ? vector : coarseVector(vector, cells), numbers));
    return Array.from(ids, (id, unit): ListedUnit => ({ id, stratum, vector: coarse[vectorOf[unit]!]! }));
  });
  return strata.length === 1 ? all : all.sort(byId);
};

/** Whether the classes equal the cells of all dimensions, as is usual from one release to the next. */
const areFine = ([first = '']: readonly string[], cells: readonly CoarseCells[]): boolean =>
  first.split(';').length === cells.length &&
  cells.every(
    ({ position, classOf }, index) => position === index && classOf.every((own, cell) => own === cell),
  );

const numberOf = (text: string, numbers: Map<string, number>): number => {
  const number = numbers.get(text) ?? numbers.size;
  numbers.set(text, number);
  return number;
};

const coarseVector = (vector: string, cells: readonly CoarseCells[]): string => {
  const own = vector.split(';');
  return cells
    .map(({ position, classOf }) => {
      const classes = own[position]!.split(',').map((cell) => classOf[Number(cell)]!);
      return classes.length === 1
        ? classes[0]!
        : [...new Set(classes)].sort((left, right) => left - right).join();
    })
    .join(';');
};

/**
 * Whether most units of two tables are the same ones: at least half of the former identifiers are still there (not: all
 * pseudonyms renumbered), and those have their former vector clearly more often than two units at random, by a Cohen's
 * kappa of at least 0.25 (not: numbers given out again).
 */
export const areMostSame = ({ vectors, oldVector, newVector }: JoinedUnits): boolean => {
  const [old, next] = [new Float64Array(vectors.length), new Float64Array(vectors.length)];
  let [units, survived, same] = [0, 0, 0];
  oldVector.forEach((left, entry) => {
    const right = newVector[entry]!;
    if (left >= 0) units += 1;
    if (left < 0 || right < 0) return;
    survived += 1;
    old[left]! += 1;
    next[right]! += 1;
    if (left === right) same += 1;
  });
  if (units === 0) return true;
  if (2 * survived < units) return false;
  const byChance = old.reduce(
    (sum, count, vector) => sum + (count / survived) * (next[vector]! / survived),
    0,
  );
  return byChance === 1 || (same / survived - byChance) / (1 - byChance) >= 0.25;
};
