import { MISSING } from '../../../src/sqon/ast.ts';
import { unlistedIn, type Bucket, type Facet } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { rangeEndsOf, titleOf, type Field } from '../api/fields.ts';
import { ofRecords, type Unit } from '../api/units.ts';
import { useInUnit } from '../api/use-unit.ts';
import { useMissing } from '../explore/use-missing.ts';
import type { Messages } from '../i18n/en.ts';
import { capital } from '../i18n/plural.ts';
import { useLocale } from '../i18n/locale.tsx';
import { canBeChosen, countText, coveredRecords, whyEmpty, whyRanges } from '../look/honest.ts';
import { useCounted } from '../look/counted.ts';
import { UnitChoice } from '../look/unit-choice.tsx';
import { valueText } from '../look/value-text.ts';
import { CoverageBadge } from '../look/coverage-badge.tsx';
import type { View } from '../state/view.ts';
import { BarChart } from './bar-chart.tsx';
import { ChartCard } from './chart-card.tsx';
import type { ChartTable } from './chart-table.ts';
import Histogram from './histogram.tsx';
import { LevelPath } from './level-path.tsx';
import { useChartWidth } from './use-chart-width.ts';

interface FacetChartProps {
  readonly catalogue: Catalogue;
  readonly facet: Facet;
  /** The view of the page: its filter, and what its charts count. */
  readonly view: View;
  readonly onUnit: (unit: Unit | null) => void;
  /** The number of records that match; null: not known. */
  readonly total: number | null;
  readonly isStale: boolean;
  /** The filter's selection of this field, whose numbers it does not restrict; absent: none. */
  readonly chosen?: { readonly values: readonly string[]; readonly isExcluded: boolean } | undefined;
  /** The label of a mark's action. */
  readonly action: string;
  /** Drawn by name instead of by count; for a histogram, by powers of ten. */
  readonly isAltered: boolean;
  readonly onAlter: () => void;
  readonly onChooseValue: (key: string) => void;
  /** The term whose children are shown, and the function that shows another level; null: the first level. */
  readonly level?: { readonly under: string | null; readonly onLevel: (under: string | null) => void };
  readonly onChooseRange: (from: string | number | null, to: string | number | null) => void;
  readonly onRemove?: (() => void) | undefined;
  /** The width of a histogram; unset: as one of several in a row. */
  readonly width?: number;
}

const maxBins = 40;

/** A facet as a chart with its own coverage and bounds. */
export const FacetChart = (props: FacetChartProps) => {
  const { catalogue, view, onUnit, total, chosen, action, isAltered, onAlter } = props;
  const { onChooseValue, onChooseRange, onRemove, level } = props;
  const locale = useLocale();
  const { t, number } = locale;
  const usualWidth = useChartWidth();
  const { width = usualWidth } = props;
  const field = catalogue.fields.get(props.facet.path)!;
  const { facet: counted, unit, isAwaited } = useInUnit(catalogue, props.facet, view);
  const facet = isAltered ? byName(counted, field, t) : counted;
  const missing = useMissing(catalogue, view, facet);
  const isStale = props.isStale || isAwaited;
  const nounOf = useCounted(catalogue);
  const title = titleOf(field);
  const ranges = whyRanges(facet.kind === 'values' ? facet.buckets : facet.bins);
  const isEmpty = facet.kind === 'values' ? facet.buckets.length === 0 : facet.bins.length === 0;
  const isLevel = facet.kind === 'values' && facet.level !== undefined && level !== undefined;
  const rest = facet.kind === 'values' ? unlistedIn(facet) : 0;
  // the filter on the field itself does not apply to its numbers, and so neither to shares
  const of = chosen === undefined && unit === ofRecords ? coveredRecords(facet, total) : null;
  const choose = (from: number, to: number): void => onChooseRange(...rangeEndsOf(field, from, to));
  const chooseValue = (key: string): void => {
    const bucket = facet.kind === 'values' ? facet.buckets.find((one) => one.key === key) : undefined;
    if (bucket?.hasChildren === true && level !== undefined) level.onLevel(key);
    else if (bucket === undefined || canBeChosen(bucket)) onChooseValue(key);
  };
  return (
    <ChartCard
      catalogue={catalogue}
      title={title}
      badge={<CoverageBadge catalogue={catalogue} coverage={facet.coverage} ranges={ranges} saysAll />}
      counts={<UnitChoice {...{ catalogue, field, unit, onUnit }} />}
      table={tableOf(facet, missing, field, capital(nounOf(unit, 2)), locale)}
      onChooseRow={(at) =>
        facet.kind === 'values'
          ? chooseValue(facet.buckets[at]?.key ?? MISSING)
          : choose(facet.bins[at]!.from, facet.bins[at]!.to)
      }
      other={
        isEmpty
          ? undefined
          : { label: facet.kind === 'values' ? t.byName : t.logScale, isOn: isAltered, onToggle: onAlter }
      }
      {...{ isStale, onRemove }}
    >
      {isLevel && level.under !== null && (
        <LevelPath
          {...{ catalogue, field, action }}
          {...level}
          under={level.under}
          onChoose={onChooseValue}
        />
      )}
      {isEmpty ? (
        <EmptyChart facet={facet} />
      ) : facet.kind === 'values' ? (
        <BarChart
          {...{ catalogue, facet, title, unit, of }}
          actionOf={({ hasChildren }) => (hasChildren === true && isLevel ? t.openTerm : action)}
          chosen={chosen ?? noChoice}
          onChoose={chooseValue}
        />
      ) : (
        <Histogram
          {...{ catalogue, field, facet, unit, width, of, action, maxBins }}
          label={title}
          height={190}
          isLog={isAltered}
          isStacked
          onRange={choose}
          onClear={() => onChooseRange(null, null)}
        />
      )}
      {chosen !== undefined && <p className="small quiet">{t.ownConditionOff}</p>}
      {rest > 0 && (
        <p className="small quiet">
          {isLevel
            ? t.moreTerms
            : t.others(
                rest,
                facet.kind === 'values' && !facet.isCountExact ? t.noLess(number(rest)) : number(rest),
              )}
        </p>
      )}
      <NoValue {...{ catalogue, view, facet }} />
    </ChartCard>
  );
};

const noChoice = { values: [], isExcluded: false };

/** How many records have no value; empty if all have one. */
export const NoValue = ({
  catalogue,
  view,
  facet,
}: Pick<FacetChartProps, 'catalogue' | 'view' | 'facet'>) => {
  const { t, number } = useLocale();
  const bucket = useMissing(catalogue, view, facet);
  // nothing is known of it
  const isOpen = bucket?.count === 0 && bucket.upper === Infinity;
  if (bucket === null || bucket.upper === 0 || isOpen) return null;
  return <p className="small quiet">{t.labelled(t.noValue, countText(bucket, number, t))}</p>;
};

/** The most frequent values ordered by name; a histogram has its own order. */
const byName = (facet: Facet, field: Field, t: Messages): Facet =>
  facet.kind !== 'values'
    ? facet
    : {
        ...facet,
        buckets: facet.buckets.toSorted((one, other) =>
          valueText(one, field, t).localeCompare(valueText(other, field, t), undefined, { numeric: true }),
        ),
      };

/** The reason why a chart is empty. */
const EmptyChart = ({ facet }: { readonly facet: Facet }) => {
  const { t } = useLocale();
  const kind = whyEmpty(facet);
  return (
    <svg
      className="drawing"
      viewBox="0 0 420 40"
      style={{ maxWidth: 420 }}
      role="img"
      aria-label={t.zero[kind]}
      fontSize={12}
    >
      <text x={4} y={24} fill="var(--quiet)">
        {t.zero[kind]}
      </text>
    </svg>
  );
};

/** Empty if it is not known. */
const atMostText = (upper: number): number | string => (upper === Infinity ? '' : upper);

/** The numbers of a facet's chart. @param counted the noun of what is counted */
export const tableOf = (
  facet: Facet,
  missing: Bucket | null,
  field: Field,
  counted: string,
  { t, day }: { readonly t: Messages; readonly day: (value: number) => string },
): ChartTable =>
  facet.kind === 'values'
    ? {
        head: [t.value, counted, t.atMost],
        rows: [
          ...facet.buckets.map((bucket) => [
            valueText(bucket, field, t),
            bucket.count,
            atMostText(bucket.upper),
          ]),
          ...(missing === null ? [] : [[t.noValue, missing.count, atMostText(missing.upper)]]),
        ],
      }
    : {
        head: [t.from, t.to, counted, t.atMost],
        rows: facet.bins.map(({ from, to, count, upper }) =>
          facet.kind === 'dates'
            ? [day(from), day(to), count, atMostText(upper)]
            : [from, to, count, atMostText(upper)],
        ),
      };
