import type { AuditFailure } from '../audit/audit.ts';
import { labelAmong } from '../cells/cell.ts';
import type { DimensionCell } from '../table/released-table.ts';
import type { DatedShortfall, KeptRelease } from './choose-table.ts';
import { areSameUnits } from '../renewal/renewal.ts';
import { draftRelease, type Draft, type ReleaseSource } from './make-release.ts';
import { daysBetween, nextSlot, seriesBreak, slotOf } from './release-rules.ts';
import type { ReleaseHistory } from './release-history.ts';
import type { ReleaseStore } from './release-store.ts';
import { stratumLabel, type Stratum } from './release.ts';
import { countOf, plural } from '../../../lib/text/plural.ts';

/** The outcome of a release. */
export type ReleaseOutcome = { readonly draft: Draft } & (
  | { readonly kind: 'published'; readonly id: string }
  /** The previous release stays; each reason is for the operator only. */
  | { readonly kind: 'withheld'; readonly reasons: readonly string[] }
);

export interface PublishOptions {
  readonly nowMs: number;
  /** Begins a new series, whatever changed in disclosure.json. */
  readonly newSeries?: boolean;
  /** Does everything except publishing. */
  readonly dryRun?: boolean;
  /** Publishes although earlier releases can no longer be compared. */
  readonly first?: boolean;
  /** Takes the next slot early because the current release is wrong. */
  readonly correct?: boolean;
  /** Confirms a slot that is more than one interval after the last slot. */
  readonly slot?: string;
}

/**
 * Computes a release and publishes it if it may be: its slot has none yet, it may follow every release that is kept, its
 * cells continue the series, and the audit has passed. Nothing is widened or repaired to achieve that: a repair would
 * disclose what it hides.
 * @throws TributaryError CONFIG_INVALID, CONFLICT and errors of the engine; the previous release stays
 */
export const publishRelease = async (
  source: ReleaseSource,
  store: ReleaseStore,
  options: PublishOptions,
): Promise<ReleaseOutcome> => {
  const { releaseEveryDays } = source.disclosure;
  const described = await source.engine.describe(source.index);
  // behind the name by which the catalogue reads it, a reloaded index has a new name of its own
  const indices = [...new Set([...described.indices, source.index])];
  const history = store.history(indices);
  const last = history.kept.at(-1);
  const isNewSeries = options.newSeries === true && last !== undefined;
  const date = (options.correct === true ? nextSlot : slotOf)(options.nowMs, releaseEveryDays);
  const draft = await draftRelease(source, {
    earlier: history.kept,
    former: isNewSeries ? null : (last ?? null),
    series: (last?.release.series ?? 1) + (isNewSeries ? 1 : 0),
    date,
  });
  const clock = clockReasons(date, { everyDays: releaseEveryDays, history, store, confirmed: options.slot });
  const slot = slotReasons(date, history);
  const reasons = [
    ...auditReasons(draft),
    ...clock,
    ...slot,
    ...(options.first === true
      ? []
      : [...history.problems.map(withAdvice), ...sameUnitsReasons(draft, history)]),
    ...(slot.length > 0 ? [] : renewalReasons(draft, source.disclosure, last)),
    ...seriesReasons(history.kept, draft, isNewSeries),
  ];
  if (options.dryRun === true) return { kind: 'withheld', draft, reasons };
  const attempt = { date, at: new Date(options.nowMs).toISOString() };
  if (reasons.length === 0) {
    const id = store.publish(draft.release, draft.table, indices, options.first);
    store.recordAttempt({ ...attempt, reasons });
    return { kind: 'published', draft, id };
  }
  // a clock that is not trusted does not move the last slot either, and a slot that has its release is not refused
  if (clock.length === 0) store.recordAttempt({ ...attempt, reasons: slot.length > 0 ? [] : reasons });
  return { kind: 'withheld', draft, reasons };
};

const withAdvice = (problem: string): string =>
  `${problem}: restore DATA_PATH from a backup; or, with --first, begin without it, so that whoever kept it may infer few units from the difference`;

/** For a first release: reasons if another catalogue released these records from another index. */
const sameUnitsReasons = ({ table }: Draft, { kept, others }: ReleaseHistory): readonly string[] => {
  if (kept.length > 0) return [];
  const same = others().findLast((one) => areSameUnits(one.table, table));
  return same === undefined
    ? []
    : [
        `most of these units are in the release of ${same.release.date} of catalogue ${same.release.catalogueId}, and whoever keeps both can subtract them: release them as that catalogue, under its id; or, with --first, begin without comparing them`,
      ];
};

const slotReasons = (date: string, { lastDate }: ReleaseHistory): readonly string[] =>
  lastDate !== null && lastDate >= date
    ? [`the slot of ${date} already has its release: the next one can be published in the next slot`]
    : [];

/** A slot far after the last attempt indicates a wrong clock, or a long break. */
const clockReasons = (
  date: string,
  {
    everyDays,
    history,
    store,
    confirmed,
  }: {
    readonly everyDays: number;
    readonly history: ReleaseHistory;
    readonly store: ReleaseStore;
    readonly confirmed: string | undefined;
  },
): readonly string[] => {
  const seen = [history.lastDate, store.lastAttempt()?.date].filter((one) => typeof one === 'string');
  const last = seen.sort().at(-1);
  if (last === undefined || daysBetween(last, date) <= everyDays || confirmed === date) return [];
  return [
    `the slot of ${date} is more than one interval after ${last}, the last one in which a release was made or tried: if the clock is right, confirm it with --slot ${date}`,
  ];
};

/** Why it may not follow the earlier releases. */
const renewalReasons = (
  draft: Draft,
  { stableIds, unit }: ReleaseSource['disclosure'],
  last: KeptRelease | undefined,
): readonly string[] =>
  last === undefined || stableIds !== null
    ? changeReasons(draft)
    : [
        `disclosure.json, stableIds: true or false expected, so that the release can be compared with that of ${last.release.date}: whether each ${unit === 'record' ? 'id of a record' : unit} always means the same unit`,
      ];

/** The shortfalls by release and stratum, with blocks of the same number grouped. */
const changeReasons = ({ shortfalls, release }: Draft): readonly string[] => {
  const alike = Object.groupBy(shortfalls, ({ stratum, changed, required, since, fieldNames }) =>
    JSON.stringify([fieldNames === null, stratum, changed, required, since]),
  );
  return Object.values(alike).map((group) => {
    const [{ changed, required, since, areIdsStable, fieldNames }] = group as [DatedShortfall];
    const where = labelOf(group![0]!, release);
    if (fieldNames === null)
      return `${countOf(changed, 'unit')}${where} ${plural(changed, 'was', 'were')} added, removed or changed since ${since}, at least ${required} are required`;
    const change = areIdsStable
      ? `${countOf(changed, 'unit')}${where} ${plural(changed, 'was', 'were')} added, removed or changed since ${since}`
      : `the counts${where} changed by ${changed} since ${since}, and units do not keep their identifiers`;
    return `${change} in ${group!.map(blockLabel).join('; ')}: at least ${required} are required, or none`;
  });
};

const blockLabel = ({ fieldNames }: DatedShortfall): string => {
  const [first, second] = fieldNames!;
  if (first === undefined) return 'the number of units';
  return first === second ? `pairs of ${first}` : fieldNames!.join(' by ');
};

const labelOf = (
  { stratum }: DatedShortfall,
  { stratumField }: Pick<Draft['release'], 'stratumField'>,
): string =>
  stratumField === null || stratum === null ? '' : stratumLabel({ value: stratum }, { stratumField });

const seriesReasons = (
  kept: readonly KeptRelease[],
  draft: Draft,
  isNewSeries: boolean,
): readonly string[] => {
  const last = kept.at(-1);
  if (last === undefined) return [];
  const { release } = draft;
  if (isNewSeries)
    return kept.flatMap(({ release: { threshold, date } }) =>
      Math.max(threshold, release.threshold) % Math.min(threshold, release.threshold) === 0
        ? []
        : [
            `counts in steps of ${release.threshold} and, in the release of ${date}, of ${threshold} together tell more than either: a multiple is required`,
          ],
    );
  const broken = seriesBreak(last, draft);
  return broken === null
    ? []
    : [
        `${broken}: edges and values may only be merged or split; --new-series begins a new series, which anyone who kept the old one can compare with it`,
      ];
};

/** Why an audit failed, cell by cell, and which characteristics to coarsen; for the operator only. */
const auditReasons = ({ audits, release }: Draft): readonly string[] =>
  audits.flatMap((report, index) => {
    if (report === null) return [];
    const { required } = report;
    const failures = byFields(report.failures);
    const stratum = release.strata[index]!;
    const where = stratumLabel(stratum, release);
    const dates = new Set(release.fields.flatMap(({ kind, path }) => (kind === 'date' ? [path] : [])));
    const reasons = failures.map(({ cell, feasible, knowing }) => {
      const names = cell.map((part) => {
        const { fieldName, cells } = stratum.table.dimensions[part.dimension]!;
        return `${fieldName} ${named(cells, part.cell, dates.has(fieldName))}`;
      });
      const who = knowing === 'zeros' ? 'somebody who knows the empty cells' : 'everyone';
      return `the audit failed: ${who} can tell that the hidden cell ${names.join(', ') || 'of all units'}${where} has one of ${feasible} values, at least ${required} are required`;
    });
    return failures.length === 0 ? [] : [...reasons, advice(failures, stratum)];
  });

/** Failures grouped by fields, the most frequent fields first. */
const byFields = (failures: readonly AuditFailure[]): readonly AuditFailure[] => {
  const groups = Object.groupBy(failures, ({ cell }) => cell.map(({ dimension }) => dimension).join());
  return Object.values(groups)
    .sort((left, right) => right!.length - left!.length)
    .flatMap((group) => group!);
};

/** Edges of a calendar are days. */
const named = (cells: readonly DimensionCell[], position: number, isDate: boolean): string => {
  const cell = cells[position]!;
  if (!isDate || cell.kind !== 'range') return labelAmong(cells, position);
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
