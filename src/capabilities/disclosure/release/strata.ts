import { invalidConfig } from '../../../lib/errors/errors.ts';
import type { Units } from './read-units.ts';

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
