import { useQueries, type QueryFunctionContext } from '@tanstack/react-query';
import { ticks as roundTicks } from 'd3-array';
import { useRef } from 'react';
import type { Catalogue, SurvivalFields } from '../../api/catalogue.ts';
import { titleOf } from '../../api/fields.ts';
import { linkNested } from '../../api/filter.ts';
import { growing } from '../../api/queries.ts';
import { fetchSurvival, type EventTable } from '../../api/survival.ts';
import { ChartCard } from '../../charts/chart-card.tsx';
import type { ChartTable } from '../../charts/chart-table.ts';
import { useBoxWidth } from '../../charts/use-chart-width.ts';
import type { CohortTexts } from '../../i18n/cohorts/en.ts';
import { useCohortTexts } from '../../i18n/cohorts/use-cohort-texts.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useRecords } from '../../look/counted.ts';
import { CoverageBadge } from '../../look/coverage-badge.tsx';
import { coverageOfAll, isKnown } from '../../look/honest.ts';
import { Trouble } from '../../look/trouble.tsx';
import type { Cohort } from '../../state/view.ts';
import { Verdict } from './compared-field.tsx';
import type { ComparedRow } from './compared.ts';
import { atRiskAt, endOf, heightAt, kaplanMeier, logRank, medianOf } from './kaplan-meier.ts';
import { SurvivalLead } from './lead.tsx';
import { SurvivalCurves, type Curve } from './survival-curves.tsx';

interface SurvivalProps {
  readonly catalogue: Catalogue;
  readonly fields: SurvivalFields;
  readonly cohorts: readonly Cohort[];
  readonly nodes: readonly string[] | null;
  /** Some records are, or may be, in several cohorts. */
  readonly isShared: boolean;
  /** The value that marks the event, with its share of each cohort; null: not known. */
  readonly event: ComparedRow | null;
}

/** The survival of cohorts: their curves, numbers at risk, medians and a test over all. */
const Survival = ({ catalogue, fields, cohorts, nodes, isShared, event }: SurvivalProps) => {
  const words = useCohortTexts();
  const { t } = useLocale();
  const box = useRef<HTMLDivElement>(null);
  const width = useBoxWidth(box);
  const isWithheld = catalogue.disclosure !== null;
  const answers = useQueries({
    queries: cohorts.map(({ filter }) => ({
      queryKey: ['survival', catalogue.source.id, fields, filter, nodes],
      queryFn: (context: QueryFunctionContext) => {
        const linked = filter && linkNested(filter, catalogue.fields);
        const question = { filter: linked, nodes, isExact: true };
        return fetchSurvival(catalogue, fields, question, growing(context));
      },
      enabled: !isWithheld,
    })),
  });
  const error = answers.find((answer) => answer.error)?.error;
  const tables = answers.flatMap(({ data }) => data ?? []);
  const coverage = coverageOfAll(tables.map((table) => table.coverage));
  const isAwaited = coverage?.some(({ state }) => state === 'pending') ?? false;
  const isDrawn = tables.length === cohorts.length && tables.every(isKnown);
  return (
    <div ref={box} className="survival stack">
      {isWithheld ? (
        <p className="quiet">{words.survival.withheld}</p>
      ) : error ? (
        <Trouble error={error} />
      ) : isDrawn ? (
        <Drawn {...{ catalogue, fields, cohorts, tables, isShared, event, width }} />
      ) : (
        <p className="quiet">
          {tables.length < cohorts.length || isAwaited ? t.loading : words.survival.nobody}{' '}
          {isAwaited && <CoverageBadge {...{ catalogue, coverage }} />}
        </p>
      )}
    </div>
  );
};

interface DrawnProps extends Pick<SurvivalProps, 'catalogue' | 'fields' | 'cohorts' | 'isShared' | 'event'> {
  readonly tables: readonly EventTable[];
  readonly width: number;
}

/** The space for one of the numbers at risk. */
const tickWidth = 90;

const Drawn = ({ catalogue, fields, cohorts, tables, isShared, event, width }: DrawnProps) => {
  const words = useCohortTexts();
  const locale = useLocale();
  const field = catalogue.fields.get(fields.time)!;
  const last = endOf(tables.map(({ times }) => times));
  const ticks = roundTicks(0, last, Math.max(2, Math.floor(width / tickWidth)));
  const curves = cohorts.map(({ name }, at): Curve => {
    const { times } = tables[at]!;
    return { name, times, points: kaplanMeier(times) };
  });
  const coverage = coverageOfAll(tables.map((table) => table.coverage));
  const tested = isShared ? 'overlap' : (logRank(curves.map(({ times }) => times)) ?? 'nothing');
  return (
    <>
      <SurvivalLead {...{ curves, field, event }} tested={typeof tested === 'string' ? null : tested} />
      <ChartCard
        catalogue={catalogue}
        title={words.survival.title(titleOf(field))}
        sentence={locale.list(cohorts.map(({ name }) => name))}
        badge={<CoverageBadge {...{ catalogue, coverage }} saysAll />}
        table={tableOf(curves, ticks, words, titleOf(field))}
        exported={eventsOf(curves, words, titleOf(field))}
      >
        <SurvivalCurves
          {...{ field, last, ticks, width }}
          curves={curves.map((curve) => until(last, curve))}
        />
        <ul className="small">
          {curves.map((curve, at) => (
            <Summary key={at} {...{ catalogue, curve, at }} table={tables[at]!} unit={field.unit} />
          ))}
        </ul>
        <Verdict tested={tested} />
        <details className="small">
          <summary>{locale.t.labelled(words.survival.share, words.whatIsThis)}</summary>
          <p className="quiet">{words.survival.why}</p>
        </details>
      </ChartCard>
    </>
  );
};

interface SummaryProps extends Pick<SurvivalProps, 'catalogue'> {
  readonly curve: Curve;
  readonly at: number;
  readonly table: EventTable;
  readonly unit: string | null;
}

const until = (last: number, curve: Curve): Curve => ({
  ...curve,
  points: curve.points.filter(({ time }) => time <= last),
});

/** A cohort in words: the number of records and events, its median, and what is left out. */
const Summary = ({ catalogue, curve: { name, times, points }, at, table, unit }: SummaryProps) => {
  const { survival: words } = useCohortTexts();
  const { t, number, list } = useLocale();
  const records = useRecords(catalogue);
  const { median, lower, upper } = medianOf(points);
  const text = (time: number | null): string => (time === null ? words.notReached : number(time));
  const all = atRiskAt(times, 0);
  const events = times.reduce((total, one) => total + one.events, 0);
  const withUnit = median === null || unit === null ? text(median) : `${text(median)} ${unit}`;
  const left = (['noTime', 'negativeTime', 'noEvent'] as const).flatMap((reason) =>
    table[reason] === 0 ? [] : [words.leftOut[reason](number(table[reason]))],
  );
  const parts = [
    words.ofThese(`${number(all)} ${records(all)}`, number(events), events),
    words.median(withUnit, lower === null && upper === null ? '' : t.atLeast(text(lower), text(upper))),
  ];
  return (
    <li>
      <span className="dot" style={{ background: `var(--cohort-${at})` }} aria-hidden />{' '}
      {t.labelled(name, parts.join(' · '))}
      {left.length > 0 && <span className="quiet"> {words.leftOutOf(name, list(left))}</span>}
    </li>
  );
};

/** The values of each cohort's curve at the ticks of the axis. */
const tableOf = (
  curves: readonly Curve[],
  ticks: readonly number[],
  { survival }: CohortTexts,
  time: string,
): ChartTable => ({
  head: [
    time,
    ...curves.flatMap(({ name }) =>
      [survival.atRisk, survival.share, survival.lower, survival.upper].map((head) => `${name}: ${head}`),
    ),
  ],
  rows: ticks.map((tick) => [
    tick,
    ...curves.flatMap(({ times, points }) => {
      const here = heightAt(points, tick);
      return [
        atRiskAt(times, tick),
        ...[here?.survival ?? '', here?.lower ?? '', here?.upper ?? ''].map(rounded),
      ];
    }),
  ]),
});

const rounded = (value: number | string): number | string =>
  typeof value === 'number' ? Math.round(value * 10_000) / 10_000 : value;

/** All event times of each cohort. */
const eventsOf = (curves: readonly Curve[], { survival }: CohortTexts, time: string): ChartTable => {
  const { cohort, share, atRisk, events, censored, lower, upper } = survival;
  return {
    head: [cohort, time, atRisk, events, censored, share, lower, upper],
    rows: curves.flatMap(({ name, points }) =>
      points.map((one) => [
        name,
        one.time,
        one.atRisk,
        one.events,
        one.censored,
        one.survival,
        one.lower ?? '',
        one.upper ?? '',
      ]),
    ),
  };
};

export default Survival;
