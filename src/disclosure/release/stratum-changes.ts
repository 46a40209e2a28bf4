import { requiredChanges } from './release-rules.ts';
import type { Release, Stratum } from './release.ts';
import { changedUnits } from './unit-fingerprints.ts';

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
  /** What was published of it; null: nothing yet, so that no difference tells anything. */
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
