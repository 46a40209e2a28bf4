import { TributaryError } from '../../errors.ts';
import { auditReasons } from './audit-reasons.ts';
import { draftRelease, type Draft, type ReleaseSource } from './make-release.ts';
import { requiredChanges, seriesBreak, slotOf } from './release-rules.ts';
import type { ReleaseStore } from './release-store.ts';
import type { Release } from './release.ts';
import { changedUnits } from './unit-fingerprints.ts';

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
  const continued = options.newSeries ? null : earlier;
  const series = earlier === null ? 1 : options.newSeries ? earlier.series + 1 : earlier.series;
  const draft = await draftRelease(source, { earlier: continued, series, date });
  const reasons = [
    ...auditReasons(draft),
    ...(earlier === null ? [] : timeReasons(earlier, draft, store)),
    ...(continued === null ? [] : seriesReasons(continued, draft)),
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

const timeReasons = (
  earlier: Release,
  { release, comparable, units }: Draft,
  store: ReleaseStore,
): readonly string[] => {
  if (earlier.date >= release.date)
    return [
      `the slot of ${release.date} already has its release: the next one can be published in the next slot`,
    ];
  const before = store.fingerprints(earlier.id);
  const needed = requiredChanges(release.threshold, units);
  if (before === null)
    return [
      "the previous release's fingerprints are missing, so the number of changed units is unknown: restore them from a backup",
    ];
  const changed = changedUnits(before, comparable);
  return changed >= needed
    ? []
    : [
        `${changed} units were added, removed or changed since ${earlier.date}, at least ${needed} are required`,
      ];
};

const seriesReasons = (earlier: Release, { release }: Draft): readonly string[] => {
  const broken = seriesBreak(earlier, release);
  return broken === null
    ? []
    : [
        `${broken}: edges and values may only be merged or split; --new-series begins a new series, which anyone who kept the old one can compare with it`,
      ];
};
