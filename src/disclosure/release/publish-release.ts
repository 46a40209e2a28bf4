import { TributaryError } from '../../errors/errors.ts';
import { auditReasons } from './audit-reasons.ts';
import { draftRelease, type Draft, type ReleaseSource } from './make-release.ts';
import { requiredChanges, seriesBreak, slotOf } from './release-rules.ts';
import type { ReleaseStore } from './release-store.ts';
import { stratumLabel, type Release } from './release.ts';
import { isTooFew, stratumChanges, type EarlierRelease, type StratumChange } from './stratum-changes.ts';

/** What became of a release. */
export type ReleaseOutcome = { readonly draft: Draft } & (
  | { readonly kind: 'published'; readonly id: string }
  /** The release before stays; each reason is for the operator only. */
  | { readonly kind: 'withheld'; readonly reasons: readonly string[] }
);

export interface PublishOptions {
  readonly nowMs: number;
  /** Begins a new series, whatever changed in disclosure.json. */
  readonly newSeries: boolean;
  /** Everything but publishing. */
  readonly dryRun: boolean;
}

/**
 * Computes a release and publishes it if it may be: its slot has none yet, enough units changed since the one before,
 * its cells continue the series, and the audit is passed. Nothing is widened or repaired to that end: a repair would
 * tell what it hides.
 * @throws TributaryError CONFIG_INVALID, CONFLICT and errors of the engine; the release before stays
 */
export const publishRelease = async (
  source: ReleaseSource,
  store: ReleaseStore,
  options: PublishOptions,
): Promise<ReleaseOutcome> => {
  const earlier = earlierRelease(store, source.catalogueId);
  const date = slotOf(options.nowMs, source.disclosure.releaseEveryDays);
  const series = (earlier?.series ?? 1) + (earlier !== null && options.newSeries ? 1 : 0);
  const fingerprints = earlier && store.fingerprints(earlier);
  const before = earlier && fingerprints && { release: earlier, fingerprints };
  const draft = await draftRelease(source, { earlier: options.newSeries ? null : before, series, date });
  const reasons = [
    ...auditReasons(draft),
    ...(earlier === null ? [] : timeReasons(earlier, before, draft)),
    ...(earlier === null || options.newSeries ? [] : seriesReasons(earlier, draft)),
  ];
  if (reasons.length > 0) return { kind: 'withheld', draft, reasons };
  if (options.dryRun) return { kind: 'withheld', draft, reasons: [] };
  return { kind: 'published', draft, id: store.publish(draft.release, draft.fingerprints) };
};

const earlierRelease = (store: ReleaseStore, catalogueId: string): Release | null => {
  const id = store.currentId();
  if (id === null) return null;
  const earlier = store.read(id);
  if (earlier.catalogueId === catalogueId) return earlier;
  throw new TributaryError(
    'CONFIG_INVALID',
    `the release of catalogue ${catalogueId} is that of ${earlier.catalogueId}`,
  );
};

const timeReasons = (earlier: Release, before: EarlierRelease | null, draft: Draft): readonly string[] => {
  const { date, series } = draft.release;
  if (earlier.date >= date)
    return [`the slot of ${date} already has its release: the next one can be published in the next slot`];
  if (before === null)
    return [
      "the previous release's fingerprints are missing, so the number of changed units is unknown: restore them from a backup",
    ];
  return series === earlier.series ? changeReasons(draft) : newSeriesReasons(before, draft);
};

/** Strata that are new, or in which enough changed, are released; the others stay, if they can. */
const changeReasons = ({ changes, release }: Draft): readonly string[] => {
  const few = changes.filter(isTooFew);
  const isStaying = ({ earlier }: StratumChange): boolean => release.strata.includes(earlier!.stratum);
  const told = few.length === changes.length ? few : few.filter((one) => !isStaying(one));
  const why = few.length === changes.length ? '' : ' to release them by other cells';
  return told.map(({ changed, needed, earlier }) => {
    const { date } = earlier!.stratum;
    return tooFewChanged(`${changed} units${stratumLabel(earlier!.stratum, release)}`, date, needed) + why;
  });
};

const tooFewChanged = (units: string, since: string, needed: number): string =>
  `${units} were added, removed or changed since ${since}, at least ${needed} are required`;

/** Over all strata: the cells may be others. */
const newSeriesReasons = (
  before: EarlierRelease,
  { release, fingerprints, units }: Draft,
): readonly string[] => {
  const now = release.strata.map(({ value }, index) => ({ value, fingerprints: fingerprints[index]! }));
  const changed = stratumChanges(before, now).reduce((sum, one) => sum + one.changed, 0);
  const needed = requiredChanges(release.threshold, units);
  return changed >= needed ? [] : [tooFewChanged(`${changed} units`, before.release.date, needed)];
};

const seriesReasons = (earlier: Release, { release }: Draft): readonly string[] => {
  const broken = seriesBreak(earlier, release);
  return broken === null
    ? []
    : [
        `${broken}: edges and values may only be merged or split; --new-series begins a new series, which anyone who kept the old one can compare with it`,
      ];
};
