import { MISSING } from '../../../src/sqon/ast.ts';
import type { Bin, Facet } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { Messages } from '../i18n/en.ts';
import { titleOf, type Field } from '../api/fields.ts';
import { useLocale } from '../i18n/locale.tsx';
import { canBeChosen, countText, whyEmpty, whyRanges } from '../look/honest.ts';
import { valueText } from '../look/value-text.ts';
import { CoverageBadge } from '../look/coverage-badge.tsx';
import { BarChart } from './bar-chart.tsx';
import { ChartCard } from './chart-card.tsx';
import type { ChartTable } from './chart-table.ts';
import { HistogramChart } from './histogram-chart.tsx';

interface FacetChartProps {
  readonly catalogue: Catalogue;
  readonly facet: Facet;
  readonly isStale: boolean;
  /** What the filter says about this very field, whose numbers it does not narrow; absent: nothing. */
  readonly chosen?: { readonly values: readonly string[]; readonly isExcluded: boolean } | undefined;
  readonly onChooseValue: (key: string) => void;
  readonly onChooseRange: (from: string | number, to: string | number) => void;
  readonly onRemove?: (() => void) | undefined;
}

/** A facet as a chart with its own coverage and bounds. */
export const FacetChart = ({
  catalogue,
  facet,
  isStale,
  chosen,
  onChooseValue,
  onChooseRange,
  onRemove,
}: FacetChartProps) => {
  const locale = useLocale();
  const { t, number } = locale;
  const field = catalogue.fields.get(facet.path)!;
  const title = titleOf(field);
  const ranges = whyRanges(facet.kind === 'values' ? facet.buckets : facet.bins);
  const isEmpty = facet.kind === 'values' ? facet.buckets.length === 0 : facet.bins.length === 0;
  const rest = facet.kind === 'values' ? facet.bucketCount - facet.buckets.length : 0;
  const choose = ({ from, to }: Bin): void =>
    facet.kind === 'dates'
      ? onChooseRange(isoDay(from), isoDay(to - 1))
      : onChooseRange(from, /float|double/.test(field.type) ? to : to - 1);
  const chooseValue = (key: string): void => {
    const bucket = facet.kind === 'values' ? facet.buckets.find((one) => one.key === key) : undefined;
    if (bucket === undefined || canBeChosen(bucket)) onChooseValue(key);
  };
  return (
    <ChartCard
      title={title}
      badge={<CoverageBadge catalogue={catalogue} coverage={facet.coverage} ranges={ranges} saysAll />}
      table={tableOf(facet, field, countedIn(catalogue, facet), locale)}
      onChooseRow={(at) =>
        facet.kind === 'values' ? chooseValue(facet.buckets[at]?.key ?? MISSING) : choose(facet.bins[at]!)
      }
      {...{ isStale, onRemove }}
    >
      {isEmpty ? (
        <EmptyChart facet={facet} />
      ) : facet.kind === 'values' ? (
        <BarChart {...{ catalogue, facet, title }} chosen={chosen ?? noChoice} onChoose={chooseValue} />
      ) : (
        <HistogramChart {...{ facet, title }} unit={field.unit} onChoose={choose} />
      )}
      {chosen !== undefined && <p className="small quiet">{t.ownConditionOff}</p>}
      {rest > 0 && (
        <p className="small quiet">
          {t.others(
            rest,
            facet.kind === 'values' && !facet.isCountExact ? t.noLess(number(rest)) : number(rest),
          )}
        </p>
      )}
      {facet.kind === 'values' && facet.missing !== null && facet.missing.upper > 0 && (
        <p className="small quiet">{t.labelled(t.noValue, countText(facet.missing, number, t))}</p>
      )}
    </ChartCard>
  );
};

const noChoice = { values: [], isExcluded: false };

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Why an empty chart is empty. */
const EmptyChart = ({ facet }: { readonly facet: Facet }) => {
  const { t } = useLocale();
  const kind = whyEmpty(facet);
  return (
    <svg viewBox="0 0 420 40" role="img" aria-label={t.zero[kind]} fontSize={12}>
      <text x={4} y={24} fill="var(--quiet)">
        {t.zero[kind]}
      </text>
    </svg>
  );
};

/** Histograms count values: those of nested objects are not one for each record. null: records are counted. */
const countedIn = ({ fields }: Catalogue, { kind, path }: Facet): string | null => {
  if (kind === 'values') return null;
  const around = [...fields.values()].filter(
    (each) => each.kind === 'nested' && path.startsWith(`${each.path}.`),
  );
  return around.sort((one, other) => other.path.length - one.path.length)[0]?.name ?? null;
};

/** Nothing where it is not known. */
const atMostText = (upper: number): number | string => (upper === Infinity ? '' : upper);

const tableOf = (
  facet: Facet,
  field: Field,
  counted: string | null,
  { t, day }: { readonly t: Messages; readonly day: (value: number) => string },
): ChartTable =>
  facet.kind === 'values'
    ? {
        head: [t.value, t.count, t.atMost],
        rows: [
          ...facet.buckets.map((bucket) => [
            valueText(bucket, field, t),
            bucket.count,
            atMostText(bucket.upper),
          ]),
          ...(facet.missing === null
            ? []
            : [[t.noValue, facet.missing.count, atMostText(facet.missing.upper)]]),
        ],
      }
    : {
        head: [t.from, t.to, counted ?? t.count, t.atMost],
        rows: facet.bins.map(({ from, to, count, upper }) =>
          facet.kind === 'dates'
            ? [day(from), day(to), count, atMostText(upper)]
            : [from, to, count, atMostText(upper)],
        ),
      };
