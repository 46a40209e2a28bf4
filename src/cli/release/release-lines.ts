import type { AuditReport } from '../../disclosure/audit/audit.ts';
import type { Draft } from '../../disclosure/release/make-release.ts';
import type { ReleaseOutcome } from '../../disclosure/release/publish-release.ts';
import { stratumLabel, type Stratum } from '../../disclosure/release/release.ts';
import { formatCount } from '../terminal/format-count.ts';

/** What `tributary release` prints of a catalogue, for its operator only. */
export const releaseLines = (catalogueId: string, outcome: ReleaseOutcome): readonly string[] => {
  const { release, audits, units, withoutUnit } = outcome.draft;
  const counted = release.unit === 'record' ? 'records' : `values of ${release.unit}`;
  const [first] = release.strata;
  return [
    `${catalogueId}: ${formatCount(units)} ${counted}, release of ${release.date}`,
    ...(withoutUnit === 0
      ? []
      : withoutUnit === 1
        ? [`  1 record has no ${release.unit} and is counted nowhere`]
        : [`  ${formatCount(withoutUnit)} records have no ${release.unit} and are counted nowhere`]),
    ...(first?.table.dimensions ?? []).map(
      ({ fieldName, cells, isMulti }) =>
        `  ${fieldName}: ${formatCount(cells.length)} cells${isMulti ? ', of which a unit can have several' : ''}`,
    ),
    ...audits.map((report, index) => auditLine(report, release.strata[index]!, release)),
    ...(outcome.kind === 'published'
      ? [`  published as ${outcome.id}`]
      : outcome.reasons.length === 0
        ? ['  could be published']
        : ['  withheld, the release before stays:', ...outcome.reasons.map((reason) => `    ${reason}`)]),
  ];
};

const auditLine = (report: AuditReport | null, stratum: Stratum, release: Draft['release']): string => {
  const where = stratumLabel(stratum, release);
  if (report === null)
    return `  cells${where} stay those of ${stratum.date}: too few of its units changed since`;
  const { cells, hidden, failures, required } = report;
  const share = cells === 0 ? 0 : Math.round((100 * hidden) / cells);
  const verdict = failures.length === 0 ? `passed (at least ${required} values for each)` : 'failed';
  return `  ${formatCount(cells)} cells${where}, ${share} % hidden; audit ${verdict}`;
};
