import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { MISSING } from '../../../src/sqon/ast.ts';
import { unlistedIn, type Bucket, type Facet } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { endNumber, rangeEndsOf, titleOf, type Field } from '../api/fields.ts';
import { termQuery } from '../api/terms.ts';
import { ofRecords } from '../api/units.ts';
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
import { chosenOf } from '../state/chosen.ts';
import { conditionsOn, rangeOf, withAltered, withLevel, withRange, withUnit } from '../state/edit.ts';
import { termsOf, withMore } from '../state/terms.ts';
import type { View } from '../state/view.ts';
import { BarChart } from './bar-chart.tsx';
import { ChartCard } from './chart-card.tsx';
import type { ChartTable } from './chart-table.ts';
import Histogram, { type HistogramProps } from './histogram.tsx';
import { useChartWidth } from './use-chart-width.ts';

interface FacetChartProps {
  readonly catalogue: Catalogue;
  readonly facet: Facet;
  /** The view of the page: its filter, and how its charts are drawn. */
  readonly view: View;
  /** Shows a view with other units, levels or scales. */
  readonly onLook: (view: View) => void;
  /** Shows a view with another filter. */
  readonly onFilter: (view: View) => void;
  /** The number of records that match; null: not known. */
  readonly total: number | null;
  readonly isStale: boolean;
  /** The label of a mark's action. */
  readonly action: string;
  readonly onRemove?: (() => void) | undefined;
  /** Replaces the title text. */
  readonly heading?: ReactNode;
  /** Of a histogram that fills its page; unset: as one of several in a row. */
  readonly size?: Pick<HistogramProps, 'width' | 'height' | 'maxBins'>;
}

/** A facet as a chart with its own coverage and bounds. */
export const FacetChart = (props: FacetChartProps) => {
  const { catalogue, view, onLook, onFilter, total, action, onRemove, heading } = props;
  const locale = useLocale();
  const { t, number } = locale;
  const usualWidth = useChartWidth();
  const { path } = props.facet;
  const { size = { width: usualWidth, height: 190, maxBins: 40 } } = props;
  const field = catalogue.fields.get(path)!;
  const { facet: counted, unit, isAwaited } = useInUnit(catalogue, props.facet, view);
  const isAltered = view.altered?.includes(path) ?? false;
  const facet = isAltered ? byName(counted, field, t) : counted;
  const missing = useMissing(catalogue, view, facet);
  const isStale = props.isStale || isAwaited;
  const nounOf = useCounted(catalogue);
  const title = titleOf(field);
  const ranges = whyRanges(facet.kind === 'values' ? facet.buckets : facet.bins);
  const isEmpty = facet.kind === 'values' ? facet.buckets.length === 0 : facet.bins.length === 0;
  const isLevel = facet.kind === 'values' && facet.level !== undefined;
  const under = view.levels?.[path] ?? null;
  const onLevel = (term: string | null): void => onLook(withLevel(view, path, term));
  const rest = facet.kind === 'values' ? unlistedIn(facet) : 0;
  const chosen = chosenIn(view, path);
  // the filter on the field itself does not apply to its numbers, and so neither to shares
  const of = chosen === undefined && unit === ofRecords ? coveredRecords(facet, total) : null;
  const choose = (from: number, to: number): void =>
    onFilter(withRange(view, path, ...rangeEndsOf(field, from, to)));
  const addValue = (key: string): void => onFilter(withMore(view, field, key, under === null ? [] : [under]));
  const chooseValue = (key: string): void => {
    const bucket = facet.kind === 'values' ? facet.buckets.find((one) => one.key === key) : undefined;
    if (bucket?.hasChildren === true) onLevel(key);
    else if (bucket === undefined || canBeChosen(bucket)) addValue(key);
  };
  return (
    <ChartCard
      {...{ catalogue, title, heading, isStale, onRemove }}
      badge={<CoverageBadge catalogue={catalogue} coverage={facet.coverage} ranges={ranges} saysAll />}
      counts={
        <UnitChoice {...{ catalogue, field, unit }} onUnit={(next) => onLook(withUnit(view, path, next))} />
      }
      table={tableOf(facet, missing, field, capital(nounOf(unit, 2)), locale)}
      onChooseRow={(at) =>
        facet.kind === 'values'
          ? chooseValue(facet.buckets[at]?.key ?? MISSING)
          : choose(facet.bins[at]!.from, facet.bins[at]!.to)
      }
      other={
        isEmpty
          ? undefined
          : {
              label: facet.kind === 'values' ? t.byName : t.logScale,
              isOn: isAltered,
              onToggle: () => onLook(withAltered(view, path)),
            }
      }
    >
      {isLevel && under !== null && (
        <LevelPath {...{ catalogue, field, under, onLevel }} onChoose={addValue} />
      )}
      {isEmpty ? (
        <p className="small quiet">{t.zero[whyEmpty(facet)]}</p>
      ) : facet.kind === 'values' ? (
        <BarChart
          {...{ catalogue, facet, title, unit, of }}
          actionOf={({ hasChildren }) => (hasChildren === true ? t.openTerm : action)}
          chosen={chosen ?? noChoice}
          onChoose={chooseValue}
        />
      ) : (
        <Histogram
          {...{ catalogue, field, facet, unit, of, action }}
          {...size}
          label={title}
          isLog={isAltered}
          chosen={rangeIn(view, field)}
          onRange={choose}
          onClear={() => onFilter(withRange(view, path, null, null))}
        />
      )}
      {chosen !== undefined && props.size === undefined && <p className="small quiet">{t.ownConditionOff}</p>}
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
      <NoValue bucket={missing} />
    </ChartCard>
  );
};

/** The filter's selection for a field whose numbers it does not restrict; undefined: none. */
const chosenIn = (view: View, path: string): ReturnType<typeof chosenOf> | undefined => {
  const terms = termsOf(view, path);
  const chosen = terms.under.length > 0 ? { ...terms, values: terms.under } : chosenOf(view, path);
  return view.join !== 'or' && conditionsOn(view, path).length > 0 ? chosen : undefined;
};

/** The filter's range of a field; undefined: none. */
const rangeIn = (view: View, field: Field): readonly [number, number] | undefined => {
  const [low, high] = rangeOf(view, field.path);
  return low === null && high === null
    ? undefined
    : [endNumber(field, low, -Infinity), endNumber(field, high, Infinity)];
};

interface LevelPathProps {
  readonly catalogue: Catalogue;
  readonly field: Field;
  readonly under: string;
  readonly onLevel: (under: string | null) => void;
  readonly onChoose: (term: string) => void;
}

/** The parent term of a level with its ancestors, each of which shows its own level, and a button that selects the term. */
const LevelPath = ({ catalogue, field, under, onLevel, onChoose }: LevelPathProps) => {
  const { t } = useLocale();
  const { data } = useQuery(termQuery(catalogue, field, under));
  const label = data?.label ?? under;
  return (
    <p className="row small">
      <Button className="bare" onPress={() => onLevel(null)}>
        {field.name}
      </Button>
      {(data?.path ?? []).map((term) => (
        <Button key={term.id} className="bare" onPress={() => onLevel(term.id)}>
          › {term.label}
        </Button>
      ))}
      <b>› {label}</b>
      <Button className="bare" onPress={() => onChoose(under)}>
        {t.labelled(t.filter, label)}
      </Button>
    </p>
  );
};

const noChoice = { values: [], isExcluded: false };

/** How many records have no value; empty if all have one, or nothing is known of it. */
const NoValue = ({ bucket }: { readonly bucket: Bucket | null }) => {
  const { t, number } = useLocale();
  if (bucket === null || bucket.upper === 0 || (bucket.count === 0 && bucket.upper === Infinity)) return null;
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

/** Empty if it is not known. */
const atMostText = (upper: number): number | string => (upper === Infinity ? '' : upper);

/** The numbers of a facet's chart. @param counted the noun of what is counted */
const tableOf = (
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
