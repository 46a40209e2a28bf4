import { withMore } from '../state/terms.ts';
import { useQueries, type QueryFunctionContext } from '@tanstack/react-query';
import type { Overview, ValuesFacet } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { Field } from '../api/fields.ts';
import type { Filter } from '../api/filter.ts';
import { growing } from '../api/queries.ts';
import { fetchOverview, type Question } from '../api/questions.ts';
import { useOpenValues } from './use-open-values.ts';
import { ofRecords } from '../api/units.ts';
import { useLocale } from '../i18n/locale.tsx';
import { CoverageBadge } from '../look/coverage-badge.tsx';
import { canBeChosen, countText, coverageOfAll, whyEmpty, whyRanges } from '../look/honest.ts';
import { valueText } from '../look/value-text.ts';
import { Trouble } from '../look/trouble.tsx';
import { ChartCard } from './chart-card.tsx';
import { heatCounts, type HeatCounts } from './heat-counts.ts';
import { MarkCard } from './mark-card.tsx';
import { useMarks } from './use-marks.tsx';

interface HeatMapProps {
  readonly catalogue: Catalogue;
  readonly question: Question;
  /** The values of the first field, and the second field. */
  readonly first: ValuesFacet;
  readonly other: string;
  readonly onChoose: (first: string, other: string) => void;
  readonly onRemove: () => void;
}

const maxRows = 8;
const maxColumns = 8;
/** The maximum number of characters in a cell. */
const maxLetters = 5;
const [width, left, top, cell] = [420, 120, 64, 26];

/** How often values of two fields occur together: one query for each row. */
export const HeatMap = ({ catalogue, question, first, other, onChoose, onRemove }: HeatMapProps) => {
  const { t, number } = useLocale();
  const rows = first.buckets.filter(canBeChosen).slice(0, maxRows);
  const questions = rows.map(({ key }): Question => ({
    ...question,
    filter: both(question.filter, catalogue.fields.get(first.path)!, key),
    isExact: true,
  }));
  const answers = useQueries({
    queries: rows.map(({ key }, at) => ({
      queryKey: ['heat', catalogue.source.id, question, first.path, key, other],
      queryFn: (context: QueryFunctionContext) =>
        fetchOverview(catalogue, questions[at]!, [other], { asUsual: 100, levels: {} }, growing(context)),
    })),
  });
  const name = (path: string): string => catalogue.fields.get(path)?.name ?? path;
  const title = t.heatOf(name(first.path), name(other));
  const error = answers.find((answer) => answer.error)?.error;
  const listed = valuesIn(
    answers.map(({ data }) => data),
    other,
  );
  const keys = new Map([[other, heatCounts(listed, maxColumns).columns]]);
  const counted = useOpenValues(
    catalogue,
    answers.map(({ data }, at) => ({ question: questions[at]!, overview: data, keys })),
  );
  const facets = valuesIn(counted, other);
  const { columns, rows: counts } = heatCounts(facets, maxColumns);
  const namedIn =
    (path: string, lists: readonly (ValuesFacet | null)[]) =>
    (key: string): string => {
      const found = lists.flatMap((facet) => facet?.buckets ?? []).find((bucket) => bucket.key === key);
      return valueText(found ?? { key }, catalogue.fields.get(path), t);
    };
  const named = namedIn(first.path, [first]);
  const namedOther = namedIn(other, facets);
  const unknown = (row: number): string => (facets[row] === null ? '…' : '—');
  return (
    <ChartCard
      catalogue={catalogue}
      title={title}
      badge={
        <CoverageBadge
          catalogue={catalogue}
          coverage={coverageOfAll([first, ...facets].map((facet) => facet?.coverage))}
          ranges={whyRanges(counts.flat().filter((each) => each !== null))}
          saysAll
        />
      }
      table={{
        head: [name(first.path), ...columns.map(namedOther)],
        rows: rows.map(({ key }, at) => [
          named(key),
          ...counts[at]!.map((each) => (each === null ? unknown(at) : countText(each, number, t))),
        ]),
      }}
      onRemove={onRemove}
    >
      {error ? (
        <Trouble error={error} />
      ) : rows.length === 0 ? (
        <p className="small quiet">{t.zero[whyEmpty(first)]}</p>
      ) : (
        <HeatGrid {...{ catalogue, title, rows, columns, counts, named, namedOther, unknown, onChoose }} />
      )}
    </ChartCard>
  );
};

/** The facet of each answer, null where it is not here. */
const valuesIn = (
  answers: readonly (Overview | undefined)[],
  path: string,
): readonly (ValuesFacet | null)[] =>
  answers.map((answer) => {
    const facet = answer?.facets.get(path);
    return facet?.kind === 'values' ? facet : null;
  });

interface HeatGridProps extends Pick<HeatMapProps, 'catalogue' | 'onChoose'> {
  readonly title: string;
  readonly rows: ValuesFacet['buckets'];
  readonly columns: readonly string[];
  readonly counts: HeatCounts['rows'];
  readonly named: (key: string) => string;
  readonly namedOther: (key: string) => string;
  readonly unknown: (row: number) => string;
}

/** The cells: each shows its card, and selects both of its values. */
const HeatGrid = (props: HeatGridProps) => {
  const { catalogue, title, rows, columns, counts, named, namedOther, unknown, onChoose } = props;
  const { t, number, short } = useLocale();
  const most = Math.max(1, ...counts.flat().map((bucket) => bucket?.count ?? 0));
  const size = (width - left) / Math.max(1, columns.length);
  const cellAt = (at: number) => {
    const [row, column] = [Math.floor(at / columns.length), at % columns.length];
    return { own: rows[row]!, another: columns[column]!, each: counts[row]?.[column] ?? null, row };
  };
  const marks = useMarks({
    count: rows.length * columns.length,
    card: (at) => {
      const { own, another, each, row } = cellAt(at);
      const title = `${named(own.key)}, ${namedOther(another)}`;
      if (each === null) return t.labelled(title, unknown(row));
      return (
        <MarkCard
          {...{ catalogue, title }}
          unit={ofRecords}
          count={each}
          of={own.count}
          nodes={null}
          action={t.addToFilter}
        />
      );
    },
    onAct: (at) => onChoose(cellAt(at).own.key, cellAt(at).another),
  });
  return (
    <div {...marks.frame}>
      <svg
        className="drawing"
        viewBox={`0 0 ${width} ${top + rows.length * cell}`}
        role="group"
        aria-label={title}
        fontSize={11}
      >
        {columns.map((key, at) => (
          <text
            key={key}
            transform={`translate(${left + at * size + size / 2} ${top - 6}) rotate(-35)`}
            fill="var(--quiet)"
          >
            {clipped(namedOther(key), 12)}
          </text>
        ))}
        {rows.map(({ key }, row) => (
          <g key={key} transform={`translate(0 ${top + row * cell})`}>
            <text x={left - 8} y={17} textAnchor="end" fill="var(--text)">
              {clipped(named(key), 18)}
            </text>
            {columns.map((column, at) => {
              const each = counts[row]![at] ?? null;
              const text = each === null ? unknown(row) : countText(each, number, t);
              return (
                <g key={column}>
                  <g
                    {...marks.markProps(
                      row * columns.length + at,
                      t.labelled(`${named(key)}, ${namedOther(column)}`, text),
                    )}
                  >
                    <rect
                      x={left + at * size}
                      width={size - 1}
                      height={cell - 1}
                      fill="var(--accent)"
                      opacity={0.06 + 0.5 * ((each?.count ?? 0) / most)}
                    />
                  </g>
                  {each === null || each.upper <= each.count ? (
                    <text
                      x={left + at * size + size / 2}
                      y={17}
                      textAnchor="middle"
                      fill="var(--text)"
                      pointerEvents="none"
                    >
                      {text.length > maxLetters && each !== null ? short(each.count) : text}
                    </text>
                  ) : (
                    <RangeText x={left + at * size + size / 2} {...each} />
                  )}
                </g>
              );
            })}
          </g>
        ))}
      </svg>
      {marks.card}
    </div>
  );
};

/** A range is wider than a cell, so its two numbers are stacked. */
const RangeText = ({
  x,
  count,
  upper,
}: {
  readonly x: number;
  readonly count: number;
  readonly upper: number;
}) => {
  const { number } = useLocale();
  return (
    <text textAnchor="middle" fill="var(--text)" fontSize={10} pointerEvents="none">
      <tspan x={x} y={11}>
        {upper === Infinity ? `≥ ${number(count)}` : `${number(count)}–`}
      </tspan>
      <tspan x={x} y={22}>
        {upper === Infinity ? '' : number(upper)}
      </tspan>
    </text>
  );
};

const clipped = (text: string, letters: number): string =>
  text.length > letters ? `${text.slice(0, letters - 1)}…` : text;

const both = (filter: Filter | null, field: Field, value: string): Filter => {
  const own = withMore({}, field, value).filters!;
  return { op: 'and', content: filter === null ? own : [filter, ...own] };
};
