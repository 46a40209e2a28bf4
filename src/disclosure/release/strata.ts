import { requiredChanges } from './release-rules.ts';
import type { Release, Stratum } from './release.ts';
import { changedUnits } from './units.ts';
import { TributaryError } from '../../errors/errors.ts';
import type { Units } from './read-units.ts';

/** A release and the fingerprints of the units of each of its strata. */
export interface EarlierRelease {
  readonly release: Release;
  readonly fingerprints: readonly BigUint64Array[];
}

/** How many units of a stratum were added, removed or changed since the release before, and how many must have been. */
export interface StratumChange {
  readonly value: string | null;
  readonly changed: number;
  readonly needed: number;
  /** What was published of it; null: nothing yet, so that no difference discloses anything. */
  readonly earlier: { readonly stratum: Stratum; readonly fingerprints: BigUint64Array } | null;
}

/** The units of a stratum as they are now, by the cells of the release before. */
export interface StratumUnits {
  readonly value: string | null;
  readonly fingerprints: BigUint64Array;
}

const none = new BigUint64Array(0);

/**
 * What changed in each stratum of either, those that are gone last. Each is compared with the release that its table is
 * of, so that a few changes each time add up.
 */
export const stratumChanges = (
  { release, fingerprints }: EarlierRelease,
  now: readonly StratumUnits[],
): readonly StratumChange[] => {
  const gone = release.strata.filter(({ value }) => !now.some((one) => one.value === value));
  return [...now, ...gone.map(({ value }) => ({ value, fingerprints: none }))].map((one) => {
    const position = release.strata.findIndex(({ value }) => value === one.value);
    const before = fingerprints[position];
    return {
      value: one.value,
      changed: changedUnits(before ?? none, one.fingerprints),
      needed: requiredChanges(release.threshold, one.fingerprints.length),
      earlier: before === undefined ? null : { stratum: release.strata[position]!, fingerprints: before },
    };
  });
};

/** Whether the difference of its two tables would be one of few units. */
export const isTooFew = ({ changed, needed, earlier }: StratumChange): boolean =>
  earlier !== null && changed < needed;

/** The units of a stratum; null: those without a value for it, or all where nothing is declared. */
export interface Part {
  readonly value: string | null;
  readonly chosen: readonly number[];
}

/**
 * The parts that are released apart.
 * @param column the strata's column; null: all units are one part
 * @throws TributaryError CONFIG_INVALID when a unit is in several strata, which could then not be separated
 */
export const strataOf = ({ ids, columns }: Units, column: number | null): readonly Part[] => {
  if (column === null) return [{ value: null, chosen: ids.map((_, unit) => unit) }];
  const { values, first, several } = columns[column]!;
  if (several.size > 0)
    throw new TributaryError(
      'CONFIG_INVALID',
      'disclosure.json, strata: some units have several values of this field; a field with one value for each unit expected',
    );
  const named = values.map((value) => ({ value: String(value), chosen: [] as number[] }));
  // no rule of some strata covers them, but everything does
  const rest = { value: null, chosen: [] as number[] };
  first.forEach((number, unit) => (named[number] ?? rest).chosen.push(unit));
  named.sort((left, right) => (left.value < right.value ? -1 : 1));
  return rest.chosen.length === 0 ? named : [...named, rest];
};
