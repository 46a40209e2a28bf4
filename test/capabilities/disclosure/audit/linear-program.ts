import loadHighs from 'highs';
import type { CellBounds } from '../../../../src/capabilities/disclosure/audit/cell-bounds.ts';
import { coordinatesOf } from '../../../../src/capabilities/disclosure/audit/cell-bounds.ts';
import type { ReleasedTable } from '../../../../src/capabilities/disclosure/table/released-table.ts';
import { blockKey } from '../../../../src/capabilities/disclosure/table/released-table.ts';

// the package's types describe its default export as a module
const highs = await (loadHighs as unknown as typeof loadHighs.default)();

/** What is known of a table as a linear program: a variable for each cell, its bounds, and all sums. */
export const linearProgram = (table: ReleasedTable, bounds: CellBounds) => {
  const rows = [...table.blocks.values()].flatMap(({ dimensions, sizes }) =>
    dimensions[0] === dimensions[1]
      ? pairRows(table, dimensions[0]!)
      : dimensions.flatMap((_, depth) => [
          ...sumRows(table, dimensions, sizes, depth),
          ...hierarchyRows(table, dimensions, sizes, depth),
        ]),
  );
  const cells = [...bounds.blocks].flatMap(([key, { lower, upper }]) =>
    [...lower].map((least, cell) => `${least} <= ${nameOf(key, cell)} <= ${upper[cell]}`),
  );
  const text = [
    'Subject To',
    ...rows.map((row, index) => `c${index}: ${row}`),
    'Bounds',
    ...cells,
    `${bounds.total.lower[0]} <= ${nameOf('', 0)} <= ${bounds.total.upper[0]}`,
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

/** A declared hierarchy of single values: a site is its codes, and of the codes within none what it shares with each. */
const hierarchyRows = (
  table: ReleasedTable,
  dimensions: readonly number[],
  sizes: readonly number[],
  depth: number,
): string[] => {
  const inner = dimensions[depth]!;
  const { within, isMulti } = table.dimensions[inner]!;
  const outer = within?.dimension ?? -1;
  if (outer < 0 || isMulti || table.dimensions[outer]!.isMulti || dimensions.includes(outer)) return [];
  const name = (place: ReadonlyMap<number, number>): string => {
    const chosen = [...place.keys()].sort((left, right) => left - right);
    const index = chosen.reduce(
      (sum, position) => sum * table.dimensions[position]!.cells.length + place.get(position)!,
      0,
    );
    return nameOf(blockKey(chosen), index);
  };
  const rest = dimensions.filter((one) => one !== inner);
  const restSizes = sizes.filter((_, index) => index !== depth);
  const sites = [...table.dimensions[outer]!.cells.keys()];
  const codes = [...table.dimensions[inner]!.cells.keys()];
  return Array.from({ length: restSizes.reduce((product, size) => product * size, 1) }, (_, row) => {
    const at = new Map(coordinatesOf(row, restSizes).map((cell, index) => [rest[index]!, cell] as const));
    const free = codes.filter((code) => (within!.cells[code] ?? null) === null);
    const part = (code: number, site: number): string =>
      `t${nameOf(blockKey(dimensions), row)}c${code}s${site}`;
    const ofSites = sites.map((site) => {
      const own = codes.filter((code) => within!.cells[code] === site);
      const parts = [
        ...own.map((code) => name(new Map([...at, [inner, code]]))),
        ...free.map((code) => part(code, site)),
      ];
      const above = name(new Map([...at, [outer, site]]));
      return parts.length === 0 ? `${above} = 0` : `${parts.join(' + ')} - ${above} = 0`;
    });
    const ofCodes = free.flatMap((code) => [
      `${sites.map((site) => part(code, site)).join(' + ')} - ${name(new Map([...at, [inner, code]]))} = 0`,
      ...sites.map((site) => {
        const pair = new Map([
          [inner, code],
          [outer, site],
        ]);
        return `${part(code, site)} - ${name(pair)} <= 0`;
      }),
    ]);
    return [...ofSites, ...ofCodes];
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
