import type { UnitCells } from '../../../src/capabilities/disclosure/table/count-cells.ts';
import type { Dimension, DimensionCell } from '../../../src/capabilities/disclosure/table/released-table.ts';
import type { Formula, Formulas } from '../../../src/capabilities/disclosure/bounds/formula.ts';

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

export type Random = () => number;
export const below = (random: Random, end: number): number => Math.floor(random() * end);

/** Units over random dimensions, some of them lists: for each unit and dimension, its cells. */
export interface RandomUnits {
  readonly dimensions: readonly Dimension[];
  readonly units: readonly (readonly (readonly number[])[])[];
}

export interface Shape {
  readonly dimensions: number;
  readonly cells: number;
  readonly units: number;
  readonly lists: boolean;
}

/** Dependent and skewed, as real records are: every unit follows one of a few profiles, mostly. */
export const randomUnits = (random: Random, shape: Shape): RandomUnits => {
  const dimensions = Array.from({ length: shape.dimensions }, (_, index): Dimension => {
    const size = 2 + below(random, shape.cells - 1);
    const cells = Array.from({ length: size }, (_cell, value): DimensionCell => ({
      kind: 'value',
      value: `v${value}`,
    }));
    return {
      fieldName: `d${index}`,
      isMulti: shape.lists && random() < 0.4,
      cells: [...cells, { kind: 'other' }, { kind: 'missing' }],
    };
  });
  const profiles = Array.from({ length: 3 }, () =>
    dimensions.map(({ cells }) => below(random, cells.length)),
  );
  const skew = 1 + 2 * random();
  // where many have no value, some of a list's values together are fewer than all units
  const emptyShares = dimensions.map(() => (random() < 0.5 ? 0 : 0.9 * random()));
  const units = Array.from({ length: shape.units }, () => {
    const profile = profiles[below(random, profiles.length)]!;
    return dimensions.map(({ cells, isMulti }, index) => {
      if (random() < emptyShares[index]!) return [cells.length - 1];
      const draw = (): number =>
        random() < 0.4 ? profile[index]! : Math.floor(cells.length * random() ** skew);
      const first = draw();
      if (!isMulti || first === cells.length - 1) return [first];
      const more = Array.from({ length: below(random, 3) }, draw).filter((cell) => cell !== cells.length - 1);
      return [...new Set([first, ...more])].sort((left, right) => left - right);
    });
  });
  return { dimensions, units };
};

/** Units as columns. */
export const columnsOf = ({ dimensions, units }: RandomUnits): UnitCells[] =>
  dimensions.map(({ isMulti }, index) => {
    const lists = units.map((unit) => unit[index]!);
    if (!isMulti) return { kind: 'one', cells: Uint16Array.from(lists.map(([cell]) => cell!)) };
    const starts = new Uint32Array(units.length + 1);
    lists.forEach((cells, unit) => (starts[unit + 1] = starts[unit]! + cells.length));
    return { kind: 'list', starts, cells: Uint16Array.from(lists.flat()) };
  });

/** A condition as written, before any simplification. */
export type Tree =
  | { readonly kind: 'in'; readonly dimension: number; readonly cells: readonly number[] }
  | { readonly kind: 'not'; readonly of: Tree }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Tree[] };

/** A random tree over random cells. */
export const randomTree = (random: Random, dimensions: readonly Dimension[], depth: number): Tree => {
  if (depth === 0 || random() < 0.25) {
    const dimension = below(random, dimensions.length);
    const share = random();
    const cells = [...dimensions[dimension]!.cells.keys()].filter(() => random() < share);
    return { kind: 'in', dimension, cells };
  }
  const of = Array.from({ length: 2 + below(random, 3) }, () => randomTree(random, dimensions, depth - 1));
  const kind = random();
  return kind < 0.2 ? { kind: 'not', of: of[0]! } : { kind: kind < 0.65 ? 'and' : 'or', of };
};

/** A few conditions at once, as portals runQuery: of different dimensions mostly, some of them negated. */
export const randomSelection = (random: Random, dimensions: readonly Dimension[], most: number): Tree => {
  const of = Array.from({ length: 1 + below(random, most) }, (): Tree => {
    const dimension = below(random, dimensions.length);
    const { length } = dimensions[dimension]!.cells;
    const cells = Array.from({ length: 1 + below(random, length - 1) }, () => below(random, length));
    const condition = { kind: 'in', dimension, cells } as const;
    return random() < 0.2 ? { kind: 'not', of: condition } : condition;
  });
  return { kind: random() < 0.8 ? 'and' : 'or', of };
};

/** The tree as a formula. */
export const formulaOf = (tree: Tree, formulas: Formulas): Formula => {
  switch (tree.kind) {
    case 'in':
      return formulas.isIn(tree.dimension, tree.cells);
    case 'not':
      return formulas.not(formulaOf(tree.of, formulas));
    case 'and':
    case 'or':
      return formulas[tree.kind](tree.of.map((part) => formulaOf(part, formulas)));
  }
};

/** Whether a unit satisfies a tree. */
export const satisfies = (unit: readonly (readonly number[])[], tree: Tree): boolean => {
  switch (tree.kind) {
    case 'in':
      return unit[tree.dimension]!.some((cell) => tree.cells.includes(cell));
    case 'not':
      return !satisfies(unit, tree.of);
    case 'and':
      return tree.of.every((part) => satisfies(unit, part));
    case 'or':
      return tree.of.some((part) => satisfies(unit, part));
  }
};
