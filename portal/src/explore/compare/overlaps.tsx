import { scaleLinear } from 'd3-scale';
import type { Catalogue } from '../../api/catalogue.ts';
import type { Bucket } from '../../api/answer.ts';
import { exactlyIn } from '../../cohorts/kept.ts';
import { useSizes } from '../../cohorts/use-sizes.ts';
import { ChartCard } from '../../charts/chart-card.tsx';
import { useLocale } from '../../i18n/locale.tsx';
import { CoverageBadge } from '../../look/coverage-badge.tsx';
import { countText, coverageOfAll, coverageOfTotal, drawnUpper, narrowCountText } from '../../look/honest.ts';
import type { Cohort } from '../../state/view.ts';
import { combinationsOf } from './combinations.ts';

interface OverlapsProps {
  readonly catalogue: Catalogue;
  readonly cohorts: readonly Cohort[];
  readonly nodes: readonly string[] | null;
}

type Size = Pick<Bucket, 'count' | 'upper' | 'estimate'>;

/** For a combination that no institution answered. */
const unknown = '—';

const [left, columnWidth, barsHeight, dotHeight] = [140, 44, 120, 22];

/** An upset plot: for each combination of cohorts, how many records are in exactly these. */
export const Overlaps = ({ catalogue, cohorts, nodes }: OverlapsProps) => {
  const { t, number, list } = useLocale();
  const combinations = combinationsOf(cohorts.length);
  const answers = useSizes(
    catalogue,
    combinations.map((members) => exactlyIn(cohorts, members)),
    nodes,
  );
  const sizes = answers.map(({ data }): Size | null => {
    const total = data?.total ?? null;
    return data === undefined || total === null ? null : { ...data, count: total };
  });
  const y = scaleLinear(
    [0, Math.max(1, ...sizes.map((size) => (size === null ? 0 : drawnUpper(size))))],
    [0, barsHeight - 20],
  );
  const isAwaited = answers.some(({ isPending }) => isPending);
  const text = (size: Size | null): string => (size === null ? unknown : countText(size, number, t));
  const namesOf = (members: readonly number[]): string =>
    t.overlapOf(list(members.map((at) => cohorts[at]!.name)));
  const coverage = coverageOfAll(answers.map(({ data }) => data && coverageOfTotal(data, catalogue)));
  const width = left + combinations.length * columnWidth;
  return (
    <ChartCard
      catalogue={catalogue}
      title={t.overlap}
      badge={<CoverageBadge {...{ catalogue, coverage }} saysAll />}
      table={{
        head: [t.cohorts, t.total],
        rows: combinations.map((members, at) => [namesOf(members), text(sizes[at] ?? null)]),
      }}
    >
      <svg
        className="drawing"
        viewBox={`0 0 ${width} ${barsHeight + cohorts.length * dotHeight + 8}`}
        style={{ maxWidth: width * 1.4 }}
        role="img"
        aria-label={combinations
          .map((members, at) => `${namesOf(members)}: ${text(sizes[at] ?? null)}`)
          .join('; ')}
        fontSize={12}
      >
        {combinations.map((members, at) => {
          const x = left + at * columnWidth;
          const size = sizes[at] ?? null;
          return (
            <g key={members.join()}>
              <title>{`${namesOf(members)}: ${text(size)}`}</title>
              <rect
                x={x + 8}
                width={columnWidth - 16}
                y={barsHeight - y(size?.count ?? 0)}
                height={y(size?.count ?? 0)}
                fill="var(--accent)"
              />
              {size !== null && drawnUpper(size) > size.count && (
                <path
                  d={`M${x + columnWidth / 2} ${barsHeight - y(size.count)}V${barsHeight - y(drawnUpper(size))}`}
                  stroke="var(--text)"
                  strokeWidth={1.5}
                />
              )}
              <text
                x={x + columnWidth / 2}
                y={barsHeight - y(size === null ? 0 : drawnUpper(size)) - 5}
                textAnchor="middle"
                fill="var(--text)"
              >
                {size === null ? (isAwaited ? '…' : unknown) : narrowCountText(size, number)}
              </text>
              {cohorts.map((_, row) => (
                <circle
                  key={row}
                  cx={x + columnWidth / 2}
                  cy={barsHeight + 14 + row * dotHeight}
                  r={6}
                  fill={members.includes(row) ? `var(--cohort-${row})` : 'var(--line)'}
                />
              ))}
            </g>
          );
        })}
        <CohortNames cohorts={cohorts} />
      </svg>
    </ChartCard>
  );
};

/** The names of the rows of dots. */
const CohortNames = ({ cohorts }: Pick<OverlapsProps, 'cohorts'>) =>
  cohorts.map(({ name }, row) => (
    <text key={row} x={left - 8} y={barsHeight + 18 + row * dotHeight} textAnchor="end" fill="var(--text)">
      {name.length > 20 ? `${name.slice(0, 19)}…` : name}
    </text>
  ));
