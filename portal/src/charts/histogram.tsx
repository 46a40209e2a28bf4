import { ticks as roundTicks } from 'd3-array';
import type { Bin, RangesFacet } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { Field } from '../api/fields.ts';
import type { Unit } from '../api/units.ts';
import { useLocale } from '../i18n/locale.tsx';
import { countText, drawnUpper } from '../look/honest.ts';
import { colourOf, nameOf } from '../look/node-colours.ts';
import { intervalText, showValue } from '../look/show-value.ts';
import { drawnBins, type DrawnBins } from './drawn-bins.ts';
import { MarkCard } from './mark-card.tsx';
import { partsOf } from './parts-of.ts';
import { useMarks } from './use-marks.tsx';

export interface HistogramProps {
  readonly catalogue: Catalogue;
  readonly field: Field;
  readonly facet: RangesFacet;
  readonly label: string;
  /** What is counted. */
  readonly unit: Unit;
  readonly width: number;
  readonly height: number;
  /** The number of records that shares refer to; null: not known. */
  readonly of: number | null;
  readonly maxBins: number;
  /** Draws counts by powers of ten. */
  readonly isLog?: boolean;
  /** Drawn without a scale of counts and the institutions' colours, for lack of space. */
  readonly isSmall?: boolean;
  /** The filter's range, in which bars are not pale; unset: none. */
  readonly chosen?: readonly [number, number] | undefined;
  readonly action: string;
  readonly onRange: (from: number, to: number) => void;
  readonly onClear: () => void;
}

const [top, bottom] = [6, 20];

/** Numbers or dates as bars over their intervals: click one, or drag over several, to filter; a double click clears. */
const Histogram = (props: HistogramProps) => {
  const { catalogue, field, facet, label, unit, width, height, of, maxBins, chosen, action } = props;
  const { isLog = false, isSmall = false, onRange, onClear } = props;
  const locale = useLocale();
  const { t, number, short } = locale;
  const { bins, before, beyond } = drawnBins(facet.bins, maxBins);
  const left = isSmall ? 2 : 44;
  const [first, last] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1];
  const most = Math.max(1, ...bins.map(drawnUpper));
  const x = (value: number): number => left + ((value - first) / (last - first || 1)) * (width - left - 2);
  const y = (count: number): number =>
    height - bottom - (isLog ? Math.log1p(count) / Math.log1p(most) : count / most) * (height - bottom - top);
  const show = showValue(field, locale);
  const nameOfBin = (bin: Bin): string => intervalText(field, bin, locale);
  const marks = useMarks({
    count: bins.length,
    card: (at) => {
      const bin = bins[at]!;
      return (
        <MarkCard
          {...{ catalogue, unit, of, action }}
          title={nameOfBin(bin)}
          count={bin}
          nodes={bin.nodes ?? null}
        />
      );
    },
    onAct: (at) => onRange(bins[at]!.from, bins[at]!.to),
    onStretch: (from, to) => onRange(bins[from]!.from, bins[to]!.to),
    onClear,
  });
  const chosenBins = marks.stretch?.map((at) => bins[at]) ?? [];
  const stretch =
    chosenBins[0] !== undefined && chosenBins[1] !== undefined && chosenBins[0] !== chosenBins[1]
      ? spanOf(x, chosenBins[0].from, chosenBins[1].to)
      : null;
  const isPale = ({ from, to }: Bin): boolean =>
    chosen !== undefined && (to <= chosen[0] || from > chosen[1]);
  const lines = isSmall ? [] : countTicks(most, isLog);
  return (
    <div {...marks.frame}>
      <svg
        className="drawing"
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={label}
        fontSize={isSmall ? 10 : 12}
      >
        {lines.map((count) => (
          <g key={count}>
            <line x1={left} x2={width} y1={y(count)} y2={y(count)} stroke="var(--line)" />
            <text x={left - 6} y={y(count) + 4} textAnchor="end" fill="var(--quiet)">
              {short(count)}
            </text>
          </g>
        ))}
        <line x1={left} x2={width} y1={y(0)} y2={y(0)} stroke="var(--control)" />
        {bins.map((bin, at) => {
          const [from, span] = spanOf(x, bin.from, bin.to);
          const wide = Math.max(0.8, span - (bins.length > 80 ? 0 : 1));
          return (
            <g
              key={bin.from}
              {...marks.markProps(at, t.labelled(nameOfBin(bin), countText(bin, number, t)))}
              opacity={isPale(bin) ? 0.35 : 1}
            >
              <rect x={from} width={wide + 1} y={0} height={height - bottom} fill="transparent" />
              {/* powers of ten do not add up: they have one colour */}
              <Bar {...{ catalogue, bin, from, wide, y }} isStacked={!isSmall && !isLog} />
            </g>
          );
        })}
        {stretch !== null && (
          <rect
            x={stretch[0]}
            width={stretch[1]}
            y={0}
            height={height - bottom}
            fill="var(--accent)"
            opacity={0.2}
            pointerEvents="none"
          />
        )}
        <Axis {...{ field, first, last, x, width, height }} least={left + (isSmall ? 10 : 4)} />
      </svg>
      {marks.card}
      <LeftOut {...{ before, beyond, show }} />
    </div>
  );
};

interface BarProps {
  readonly catalogue: Catalogue;
  readonly bin: Bin;
  readonly from: number;
  readonly wide: number;
  readonly y: (count: number) => number;
  readonly isStacked: boolean;
}

/** A bar, with a whisker for the upper bound. */
const Bar = ({ catalogue, bin, from, wide, y, isStacked }: BarProps) => (
  <>
    {partsOf(catalogue, isStacked ? bin : { count: bin.count }).map(({ nodeId, from: low, to: high }) => (
      <rect
        key={nodeId}
        data-institution={nodeId === '' ? undefined : nameOf(catalogue, nodeId)}
        x={from}
        width={wide}
        y={y(high)}
        height={Math.max(0, y(low) - y(high))}
        fill={nodeId === '' ? 'var(--accent)' : colourOf(catalogue, nodeId)}
      />
    ))}
    {drawnUpper(bin) > bin.count && (
      <path
        d={`M${from + wide / 2} ${y(bin.count)}V${y(drawnUpper(bin))}`}
        stroke="var(--text)"
        strokeWidth={1.5}
      />
    )}
  </>
);

interface AxisProps {
  readonly field: Field;
  readonly first: number;
  readonly last: number;
  readonly x: (value: number) => number;
  readonly width: number;
  readonly height: number;
  /** The left limit of texts. */
  readonly least: number;
}

const Axis = ({ field, first, last, x, width, height, least }: AxisProps) => {
  const locale = useLocale();
  return axisTicks(field, first, last, Math.max(2, Math.floor(width / 90))).map((value) => (
    <text
      key={value}
      x={Math.min(Math.max(x(value), least), width - 16)}
      y={height - 6}
      textAnchor="middle"
      fill="var(--quiet)"
    >
      {axisText(field, value, last - first, locale)}
    </text>
  ));
};

interface LeftOutProps extends Pick<DrawnBins, 'before' | 'beyond'> {
  readonly show: (value: number) => string;
}

/** The number of values beyond the ends of the drawn range. */
const LeftOut = ({ before, beyond, show }: LeftOutProps) => {
  const { t, number } = useLocale();
  const texts = [
    ...(before.end === null ? [] : [t.beforeEnd(countText(before, number, t), show(before.end))]),
    ...(beyond.end === null ? [] : [t.beyondEnd(countText(beyond, number, t), show(beyond.end))]),
  ];
  return texts.length === 0 ? null : <p className="small quiet">{texts.join(' · ')}</p>;
};

/** The left edge and the width of a range. */
const spanOf = (x: (value: number) => number, from: number, to: number): readonly [number, number] => [
  x(from),
  x(to) - x(from),
];

/** Round counts for the grid lines. */
const countTicks = (most: number, isLog: boolean): readonly number[] =>
  isLog
    ? Array.from({ length: Math.floor(Math.log10(most)) + 1 }, (_, power) => 10 ** power)
    : roundTicks(0, most, 3).filter(Number.isInteger);

const yearMs = 365.25 * 86_400_000;

/** Round numbers; for dates the beginnings of years, or days if there are few years. */
const axisTicks = ({ kind }: Field, first: number, last: number, wanted: number): readonly number[] => {
  if (kind !== 'dates') return roundTicks(first, last, wanted);
  if (last - first < 2 * yearMs)
    return Array.from({ length: wanted }, (_, at) => first + ((last - first) * (at + 0.5)) / wanted);
  const years = [first, last].map((at) => new Date(at).getUTCFullYear()) as [number, number];
  return roundTicks(...years, wanted)
    .filter(Number.isInteger)
    .map((year) => new Date(0).setUTCFullYear(year, 0, 1))
    .filter((at) => at >= first);
};

const axisText = (
  field: Field,
  value: number,
  span: number,
  locale: Parameters<typeof showValue>[1],
): string =>
  field.kind === 'dates' && span >= 2 * yearMs
    ? String(new Date(value).getUTCFullYear())
    : showValue(field, locale, true)(value);

export default Histogram;
