import loadHighs from 'highs';
import type { CellBounds } from '../../../src/disclosure/audit/cell-bounds.ts';
import { coordinatesOf } from '../../../src/disclosure/audit/cell-bounds.ts';
import type { ReleasedTable } from '../../../src/disclosure/table/released-table.ts';
import { blockKey } from '../../../src/disclosure/table/released-table.ts';

// the package's types describe its default export as a module
const highs = await (loadHighs as unknown as typeof loadHighs.default)();

/** What is known of a table as a linear program: a variable for each cell, its bounds, and all sums. */
export const linearProgram = (table: ReleasedTable, bounds: CellBounds) => {
  const rows = [...table.blocks.values()].flatMap(({ dimensions, sizes }) =>
    dimensions[0] === dimensions[1]
      ? pairRows(table, dimensions[0]!)
      : dimensions.flatMap((_, depth) => sumRows(table, dimensions, sizes, depth)),
  );
  const cells = [...bounds.blocks].flatMap(([key, { lower, upper }]) =>
    [...lower].map((least, cell) => `${least} <= ${nameOf(key, cell)} <= ${upper[cell]}`),
  );
  const text = [
    'Subject To',
    ...rows.map((row, index) => `c${index}: ${row}`),
    'Bounds',
    ...cells,
    `${bounds.total.lower} <= ${nameOf('', 0)} <= ${bounds.total.upper}`,
    'End',
  ].join('\n');
  const solve = (sense: 'Minimize' | 'Maximize', name: string): number => {
    const found = highs.solve(`${sense}\n obj: ${name}\n${text}`);
    if (found.Status !== 'Optimal') throw new Error(`${name}: ${found.Status}`);
    return found.ObjectiveValue;
  };
  /** The least and the greatest value of a cell. */
  return (key: string, cell: number) => ({
    lower: Math.ceil(solve('Minimize', nameOf(key, cell)) - 1e-6) + 0,
    upper: Math.floor(solve('Maximize', nameOf(key, cell)) + 1e-6),
  });
};

const nameOf = (key: string, cell: number): string => `n${key.replaceAll(',', '_')}x${cell}`;

const sumRows = (
  table: ReleasedTable,
  dimensions: readonly number[],
  sizes: readonly number[],
  depth: number,
): string[] => {
  const { isMulti, cells } = table.dimensions[dimensions[depth]!]!;
  const others = dimensions.filter((_, index) => index !== depth);
  const otherSizes = sizes.filter((_, index) => index !== depth);
  const margins = otherSizes.reduce((product, size) => product * size, 1);
  return Array.from({ length: margins }, (_, row) => {
    const at = coordinatesOf(row, otherSizes);
    const names = cells.map((_cell, value) => {
      const full = at.toSpliced(depth, 0, value);
      const index = full.reduce((sum, part, dimension) => sum * sizes[dimension]! + part, 0);
      return nameOf(blockKey(dimensions), index);
    });
    const margin = nameOf(blockKey(others), row);
    const sum = `${names.join(' + ')} - ${margin}`;
    if (!isMulti) return [`${sum} = 0`];
    const missing = cells.findIndex(({ kind }) => kind === 'missing');
    const largest = names.flatMap((name, value) =>
      value === missing ? [] : [`${name} + ${names[missing]!} - ${margin} <= 0`],
    );
    return [`${sum} >= 0`, ...largest];
  }).flat();
};

const pairRows = (table: ReleasedTable, dimension: number): string[] => {
  const { cells } = table.dimensions[dimension]!;
  const missing = cells.findIndex(({ kind }) => kind === 'missing');
  const values = [...cells.keys()].filter((value) => value !== missing);
  const name = (value: number): string => nameOf(blockKey([dimension]), value);
  return values.flatMap((left) =>
    values.flatMap((right) => {
      const pair = nameOf(blockKey([dimension, dimension]), left * cells.length + right);
      if (left === right) return [`${pair} - ${name(left)} = 0`];
      return [
        `${pair} - ${name(left)} <= 0`,
        `${pair} - ${name(right)} <= 0`,
        `${pair} - ${name(left)} - ${name(right)} + ${nameOf('', 0)} - ${name(missing)} >= 0`,
      ];
    }),
  );
};
