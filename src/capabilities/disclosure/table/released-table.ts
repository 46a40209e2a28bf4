import type { Interval } from './interval.ts';

/** One cell of a dimension: a possible value or group of values. Within a dimension, cells do not overlap. */
export type DimensionCell =
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  /** Values that a pattern with `*` matches, except those in an earlier cell of the dimension. */
  | { readonly kind: 'pattern'; readonly pattern: string }
  /** from <= value < to; an open end is null. Dates in epoch ms. */
  | { readonly kind: 'range'; readonly from: number | null; readonly to: number | null }
  /** Values in no other cell. */
  | { readonly kind: 'other' }
  /** No value at all. */
  | { readonly kind: 'missing' };

/** A characteristic that units are counted by. */
export interface Dimension {
  readonly fieldName: string;
  /** Whether a unit can be in several of its cells; if not, every unit is in exactly one. */
  readonly isMulti: boolean;
  readonly cells: readonly DimensionCell[];
  /** It is publicly known that each unit has a value. */
  readonly mandatory?: true;
  /** For values that each occur only with one value of another dimension: for each cell, the cell of that value, or null. */
  readonly within?: { readonly dimension: number; readonly cells: readonly (number | null)[] };
}

/** The cells of some dimensions together. */
export interface Block {
  /** Ascending indexes of the table's dimensions; the same index twice: pairs of values of one list. */
  readonly dimensions: readonly number[];
  readonly sizes: readonly number[];
  /** Row by row, the last dimension fastest: count divided by the threshold, rounded down. */
  readonly levels: Uint32Array;
}

/**
 * Everything that is ever published about the records of a stratum: for every combination of up to `order` dimensions,
 * each count rounded down to the threshold. A count below it is thereby 0, like a true zero.
 */
export interface ReleasedTable {
  readonly threshold: number;
  readonly order: number;
  readonly dimensions: readonly Dimension[];
  /** The level of all units. */
  readonly total: number;
  /** By blockKey. */
  readonly blocks: ReadonlyMap<string, Block>;
}

/** Names a block by its dimensions, in ascending order. */
export const blockKey = (dimensions: readonly number[]): string => dimensions.join(',');

/** The distance between the cells of a dimension in a block of some dimensions. */
export const strideOf = (
  all: readonly number[],
  dimension: number,
  { dimensions }: Pick<ReleasedTable, 'dimensions'>,
): number =>
  all
    .slice(all.indexOf(dimension) + 1)
    .reduce((product, later) => product * dimensions[later]!.cells.length, 1);

/** The counts that a level represents. */
export const intervalOf = (level: number, threshold: number): Interval => ({
  lower: level * threshold,
  upper: level * threshold + threshold - 1,
});

/** All combinations of at most `order` of the dimensions, and the pairs within each list. */
export const combinations = (
  dimensions: readonly Pick<Dimension, 'isMulti'>[],
  order: number,
): number[][] => {
  const found: number[][] = [];
  const extend = (start: readonly number[], next: number): void => {
    for (let dimension = next; dimension < dimensions.length; dimension += 1) {
      const longer = [...start, dimension];
      found.push(longer);
      if (longer.length < order) extend(longer, dimension + 1);
    }
  };
  extend([], 0);
  if (order >= 2) dimensions.forEach(({ isMulti }, position) => isMulti && found.push([position, position]));
  return found;
};
