import { TributaryError } from '../../errors/errors.ts';
import type { Draft, ReleaseSource } from './make-release.ts';
import { draftRelease } from './make-release.ts';
import { requiredChanges, seriesBreak, slotOf } from './release-rules.ts';
import type { ReleaseStore } from './release-store.ts';
import type { Release, Stratum } from './release.ts';
import { stratumLabel } from './release.ts';
import type { EarlierRelease, StratumChange } from './strata.ts';
import { isTooFew, stratumChanges } from './strata.ts';
import type { AuditFailure } from '../audit/audit.ts';
import { cellLabel } from '../cells/cell.ts';
import type { DimensionCell } from '../table/released-table.ts';

/** The outcome of a release. */
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
 * disclose what it hides.
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
  const reported = few.length === changes.length ? few : few.filter((one) => !isStaying(one));
  const why = few.length === changes.length ? '' : ' to release them by other cells';
  return reported.map(({ changed, needed, earlier }) => {
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

/** Why an audit failed, cell by cell, and which characteristics to make coarser; for the operator only. */
const auditReasons = ({ audits, release }: Draft): readonly string[] =>
  audits.flatMap((report, index) => {
    if (report === null) return [];
    const { failures, required } = report;
    const stratum = release.strata[index]!;
    const where = stratumLabel(stratum, release);
    const dates = new Set(release.fields.flatMap(({ kind, path }) => (kind === 'date' ? [path] : [])));
    const reasons = failures.map(({ cell, feasible, knowing }) => {
      const names = cell.map((part) => {
        const { fieldName, cells } = stratum.table.dimensions[part.dimension]!;
        return `${fieldName} ${named(cells[part.cell]!, dates.has(fieldName))}`;
      });
      const who = knowing === 'zeros' ? 'somebody who knows the empty cells' : 'everyone';
      return `the audit failed: ${who} can tell that the hidden cell ${names.join(', ') || 'of all units'}${where} has one of ${feasible} values, at least ${required} are required`;
    });
    return failures.length === 0 ? [] : [...reasons, advice(failures, stratum)];
  });

/** Edges of a calendar are days. */
const named = (cell: DimensionCell, isDate: boolean): string => {
  if (!isDate || cell.kind !== 'range') return cellLabel(cell);
  const [from, to] = [cell.from, cell.to].map((ms) => ms !== null && new Date(ms).toISOString().slice(0, 10));
  return [...(from ? [`from ${from}`] : []), ...(to ? [`before ${to}`] : [])].join(' ');
};

const advice = (failures: readonly AuditFailure[], { table }: Stratum): string => {
  const found = new Map<string, number>();
  for (const { cell } of failures)
    for (const { dimension } of cell) {
      const { fieldName } = table.dimensions[dimension]!;
      found.set(fieldName, (found.get(fieldName) ?? 0) + 1);
    }
  const often = [...found]
    .sort((left, right) => right[1] - left[1])
    .map(([name, times]) => `${name} ${times}`);
  const order = table.order > 2 ? ', or "order": 2' : '';
  return `the fields of these ${failures.length} cells: ${often.join(', ') || 'none'}; wider edges or fewer values of the first ones${order} may pass`;
};
