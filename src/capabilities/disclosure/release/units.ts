import { hash } from 'node:crypto';
import { cellFinder, type CellValue } from '../cells/cell.ts';
import { stratumVectors, type StratumVectors } from '../renewal/unit-changes.ts';
import { invalidConfig } from '../../../lib/errors/errors.ts';
import type { Field } from '../../../introspection/fields/field.ts';
import type { UnitCells } from '../table/count-cells.ts';
import type { DimensionCell } from '../table/released-table.ts';
import type { UnitColumn, Units } from './read-units.ts';

/** The units of a stratum; null: units without a value for it, or all units if no strata are declared. */
export interface Part {
  readonly value: string | null;
  readonly chosen: readonly number[];
}

/**
 * The parts that are released separately.
 * @param column the strata's column; null: all units are one part
 * @throws TributaryError CONFIG_INVALID when a unit is in several strata, which could then not be separated
 */
export const strataOf = ({ ids, columns }: Units, column: number | null): readonly Part[] => {
  if (column === null) return [{ value: null, chosen: ids.map((_, unit) => unit) }];
  const { values, first, several } = columns[column]!;
  if (several.size > 0)
    throw invalidConfig(
      'disclosure.json, strata: some units have several values of this field; a field with one value for each unit expected',
    );
  const named = values.map((value) => ({ value: String(value), chosen: [] as number[] }));
  // no rule for some strata covers them, but `everything` does
  const rest = { value: null, chosen: [] as number[] };
  first.forEach((number, unit) => (named[number] ?? rest).chosen.push(unit));
  named.sort((left, right) => (left.value < right.value ? -1 : 1));
  return rest.chosen.length === 0 ? named : [...named, rest];
};

/** The units of a stratum with the cells each is in. */
export const unitVectors = (
  { ids, columns }: Units,
  { value, chosen }: Part,
  cells: readonly (readonly DimensionCell[])[],
  fields: readonly Field[],
): StratumVectors => {
  const missing = cells.map((own) => own.findIndex(({ kind }) => kind === 'missing'));
  const cellsOf = cells.map((own, index) => {
    const find = cellFinder(own, fields[index]!);
    return columns[index]!.values.map((one) => find(one));
  });
  const cellsIn = (unit: number, index: number): string => {
    const { first, several } = columns[index]!;
    const all = several.get(unit);
    if (all === undefined) return String(first[unit]! < 0 ? missing[index] : cellsOf[index]![first[unit]!]);
    const distinct = new Set([...all].map((number) => cellsOf[index]![number]!));
    return [...distinct].sort((left, right) => left - right).join();
  };
  return stratumVectors(
    value,
    chosen.map((unit) => ({
      id: hash('sha256', ids[unit]!, 'buffer').readBigUInt64LE(0),
      vector: cells.map((_, index) => cellsIn(unit, index)).join(';'),
    })),
  );
};

/** How many of the chosen units have each value. */
export const countValues = (
  { values, first, several }: UnitColumn,
  chosen: readonly number[],
): ReadonlyMap<CellValue, number> => {
  const counts = new Float64Array(values.length);
  for (const unit of chosen) {
    const all = several.get(unit);
    if (all !== undefined) for (const number of all) counts[number]! += 1;
    else if (first[unit]! >= 0) counts[first[unit]!]! += 1;
  }
  return new Map(values.map((value, number) => [value, counts[number]!]));
};

/** The cells of the units of a stratum, as one column for each dimension: a list when any of them is in several. */
export const cellColumns = (
  { vectors, vectorOf }: StratumVectors,
  dimensions: number,
): readonly UnitCells[] => {
  const parsed = vectors.map((vector) => vector.split(';').map((cells) => cells.split(',').map(Number)));
  return Array.from({ length: dimensions }, (_, dimension): UnitCells => {
    const lists = parsed.map((vector) => vector[dimension]!);
    if (lists.every(({ length }) => length === 1)) {
      const cellOf = Uint16Array.from(lists, ([cell]) => cell!);
      return { kind: 'one', cells: Uint16Array.from(vectorOf, (vector) => cellOf[vector]!) };
    }
    const starts = new Uint32Array(vectorOf.length + 1);
    vectorOf.forEach((vector, unit) => (starts[unit + 1] = starts[unit]! + lists[vector]!.length));
    const cells = new Uint16Array(starts.at(-1)!);
    vectorOf.forEach((vector, unit) => cells.set(lists[vector]!, starts[unit]));
    return { kind: 'list', starts, cells };
  });
};
