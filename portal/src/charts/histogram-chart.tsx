import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { Bin, RangesFacet } from '../api/answer.ts';
import { useLocale } from '../i18n/locale.tsx';
import { isYear } from '../api/fields.ts';
import { countText, drawnUpper } from '../look/honest.ts';
import { useChartWidth } from './use-chart-width.ts';

interface HistogramChartProps {
  readonly facet: RangesFacet;
  readonly title: string;
  readonly unit: string | null;
  readonly onChoose: (bin: Bin) => void;
}

const [height, left, bottom] = [190, 48, 24];

/** Numbers as bars over their intervals; dates as a line over time. */
export const HistogramChart = ({ facet, title, unit, onChoose }: HistogramChartProps) => {
  const { t, number, day, bytes } = useLocale();
  const width = useChartWidth();
  const { bins, kind } = facet;
  const first = bins[0]?.from ?? 0;
  const last = bins.at(-1)?.to ?? 1;
  const x = scaleLinear([first, last], [left, width - 4]);
  const y = scaleLinear([0, Math.max(1, ...bins.map(drawnUpper))], [height - bottom, 6]).nice(4);
  const show = kind === 'dates' ? day : unit === 'bytes' ? bytes : isYear(facet.path) ? String : number;
  const tick = kind === 'dates' ? (value: number): string => String(new Date(value).getUTCFullYear()) : show;
  const spoken = bins
    .map((bin) => `${show(bin.from)}–${show(bin.to)}: ${countText(bin, number, t)}`)
    .join(', ');
  const path = line<Bin>(
    (bin) => x((bin.from + bin.to) / 2),
    ({ count }) => y(count),
  )([...bins]);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title}: ${spoken}`} fontSize={12}>
      {y.ticks(4).map((value) => (
        <g key={value}>
          <line x1={left} x2={width} y1={y(value)} y2={y(value)} stroke="var(--line)" />
          <text x={left - 6} y={y(value) + 4} textAnchor="end" fill="var(--quiet)">
            {number(value)}
          </text>
        </g>
      ))}
      {bins.map((bin) => (
        <g key={bin.from} className="mark" onClick={() => onChoose(bin)}>
          <title>{`${show(bin.from)} – ${show(bin.to)}: ${countText(bin, number, t)}`}</title>
          <rect
            x={x(bin.from) + 0.5}
            width={Math.max(1, x(bin.to) - x(bin.from) - 1)}
            y={kind === 'dates' ? 6 : y(bin.count)}
            height={kind === 'dates' ? height - bottom - 6 : y(0) - y(bin.count)}
            fill={kind === 'dates' ? 'transparent' : 'var(--accent)'}
          />
          {drawnUpper(bin) > bin.count && (
            <path
              d={`M${x((bin.from + bin.to) / 2)} ${y(bin.count)}V${y(drawnUpper(bin))}`}
              stroke="var(--text)"
              strokeWidth={1.5}
            />
          )}
          {kind === 'dates' && bins.length < 60 && (
            <circle cx={x((bin.from + bin.to) / 2)} cy={y(bin.count)} r={3} fill="var(--accent)" />
          )}
        </g>
      ))}
      {kind === 'dates' && (
        <path d={path ?? ''} stroke="var(--accent)" strokeWidth={2} fill="none" pointerEvents="none" />
      )}
      {ticksOf(kind === 'dates', first, last, x).map((value) => (
        <text
          key={value}
          x={Math.min(x(value), width - 16)}
          y={height - 6}
          textAnchor="middle"
          fill="var(--quiet)"
        >
          {tick(value)}
        </text>
      ))}
    </svg>
  );
};

/** Round numbers, or the whole years of dates. */
const ticksOf = (
  isDate: boolean,
  first: number,
  last: number,
  x: ReturnType<typeof scaleLinear<number>>,
): readonly number[] => {
  if (!isDate) return x.ticks(5);
  const [from, to] = [new Date(first).getUTCFullYear(), new Date(last).getUTCFullYear()];
  const step = Math.max(1, Math.ceil((to - from) / 6));
  const years: number[] = [];
  for (let year = from; year <= to; year += step) if (Date.UTC(year) >= first) years.push(Date.UTC(year));
  return years;
};
