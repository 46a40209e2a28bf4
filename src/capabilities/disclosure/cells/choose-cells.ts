import { utf8Order } from '../../../lib/text/text-comparison.ts';
import { invalidConfig } from '../../../lib/errors/errors.ts';
import type { DimensionConfig } from '../../../introspection/fields/catalogue-config.ts';
import { edgesOfCalendar } from '../../../introspection/dates/dates.ts';
import type { Field } from '../../../introspection/fields/field.ts';
import { patternMatcher, prefixPattern } from '../../../sqon/filter.ts';
import type { DimensionCell } from '../table/released-table.ts';
import { cellFinder, cellLabel, storedValue, type CellValue } from './cell.ts';
import { isPrefixPattern } from '../../../sqon/ast.ts';

/** The number of most frequent values for a dimension without a declaration. */
const defaultMost = 40;
const maxCells = 400;

/**
 * All values of a field with their levels, summed over the strata as they are published: true counts, or levels of all
 * strata together, would disclose more about a stratum by which values are listed, and in which order.
 */
export type ValueLevels = ReadonlyMap<CellValue, number>;

/**
 * The cells of a dimension in their order, in which every unit has at least one.
 * @param earlier the values that the previous release listed: they stay, whatever their counts are now
 * @throws TributaryError CONFIG_INVALID when the declaration does not fit the field or the data
 */
export const chooseCells = (
  config: DimensionConfig,
  field: Field,
  levels: ValueLevels,
  earlier: readonly CellValue[],
): readonly DimensionCell[] => {
  const declared = declaredCells(config, field);
  if (declared !== null) return withRest(declared, config, field, levels);
  const most = config.most ?? defaultMost;
  const stay = new Set(earlier.map(String));
  const ranked = [...levels]
    .filter(([value, level]) => level > 0 && !stay.has(String(value)))
    .map(([value, level]) => ({ value, level }))
    .sort((left, right) => right.level - left.level || utf8Order(String(left.value), String(right.value)))
    .slice(0, Math.max(0, most - earlier.length));
  const listed = [...earlier, ...ranked.map(({ value }) => value)];
  return withRest(
    listed.map((value) => ({ kind: 'value', value })),
    config,
    field,
    levels,
  );
};

const withRest = (
  cells: readonly DimensionCell[],
  { fieldName, other }: DimensionConfig,
  field: Field,
  levels: ValueLevels,
): readonly DimensionCell[] => {
  if (cells.length > maxCells)
    throw invalidConfig(
      `disclosure.json: ${fieldName} has ${cells.length} cells, at most ${maxCells} are accepted`,
    );
  const covers = cells.some(({ kind }) => kind === 'range') || isBoth(cells);
  const isClosed = covers || other === false;
  const find = cellFinder(cells, field);
  if (isClosed && [...levels.keys()].some((value) => find(value) < 0))
    throw invalidConfig(
      `disclosure.json: ${fieldName} has values that are not listed: list them, or leave out "other": false`,
    );
  return [...cells, ...(isClosed ? [] : [{ kind: 'other' } as const]), { kind: 'missing' }];
};

/** Whether the cells are the two values of a boolean field. */
const isBoth = (cells: readonly DimensionCell[]): boolean =>
  cells.length === 2 && cells.every((cell) => cell.kind === 'value' && typeof cell.value === 'boolean');

/** Cells that do not depend on the data; null if the cells are the most frequent values. */
const declaredCells = (config: DimensionConfig, field: Field): readonly DimensionCell[] | null => {
  const { edges, calendar, values } = config;
  if (edges !== undefined) return between(edges);
  if (calendar !== undefined) return between(calendarEdges(config, field.format));
  if (values !== undefined) {
    const [taken] = takenValues(values, field);
    if (taken !== undefined) throw invalidConfig(`disclosure.json: ${config.fieldName}: ${taken}`);
    return values.map((value) => valueCell(value, field));
  }
  return field.kind === 'boolean'
    ? [
        { kind: 'value', value: false },
        { kind: 'value', value: true },
      ]
    : null;
};

/** Values and patterns fully covered by an earlier value or pattern, so that they would count no unit; a message for each. */
export const takenValues = (values: readonly CellValue[], field: Field): readonly string[] =>
  values.flatMap((value, index) => {
    const cell = valueCell(value, field);
    const by = values.slice(0, index).find((before) => isTakenBy(cell, valueCell(before, field)));
    return by === undefined
      ? []
      : [`${value} is counted in ${by}, which is before it, and nowhere else: list it first`];
  });

const isTakenBy = (cell: DimensionCell, before: DimensionCell): boolean =>
  before.kind === 'pattern'
    ? patternMatcher(prefixPattern(before.pattern), (text) => text)(cellLabel(cell))
    : cellLabel(before) === cellLabel(cell);

/** A value that its field cannot hold stays unchanged: check-disclosure.ts reports it. */
const valueCell = (value: CellValue, field: Field): DimensionCell => {
  if (isPrefixPattern(value) && field.kind === 'keyword') return { kind: 'pattern', pattern: value };
  return { kind: 'value', value: storedValue(value, field) ?? value };
};

/** Both ends are open. */
const between = (edges: readonly number[]): readonly DimensionCell[] =>
  [null, ...edges].map((from, index) => ({ kind: 'range', from, to: edges[index] ?? null }));

const calendarEdges = (config: DimensionConfig, format: string | undefined): readonly number[] => {
  const edges = edgesOfCalendar(config, maxCells, format);
  if (edges !== null) return edges;
  throw invalidConfig(
    `disclosure.json: from and to of ${config.fieldName} must be two dates in ascending order, such as 2015 and 2026`,
  );
};
