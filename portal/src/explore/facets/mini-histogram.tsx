import type { RangesFacet } from '../../api/answer.ts';

interface MiniHistogramProps {
  readonly facet: RangesFacet;
  readonly ends: readonly [number, number];
  readonly extent: { readonly min: number; readonly max: number };
  readonly label: string;
}

const [width, height] = [260, 56];

/** The shape of a field over all its values; what the range leaves out is pale. */
export const MiniHistogram = ({ facet, ends, extent, label }: MiniHistogramProps) => {
  const last = Math.max(extent.max, ...facet.bins.map(({ to }) => to));
  const first = Math.min(extent.min, ...facet.bins.map(({ from }) => from));
  const most = Math.max(1, ...facet.bins.map(({ count }) => count));
  // a scale of d3 is 10 kB that the first load can do without
  const x = (value: number): number => (last === first ? 0 : ((value - first) / (last - first)) * width);
  const y = (count: number): number => (count / most) * (height - 2);
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      style={{ width: '100%', marginTop: 8 }}
    >
      {facet.bins.map(({ from, to, count }) => (
        <rect
          key={from}
          x={x(from) + 0.5}
          width={Math.max(1, x(to) - x(from) - 1)}
          y={height - y(count)}
          height={y(count)}
          fill={to > ends[0] && from <= ends[1] ? 'var(--accent)' : 'var(--line)'}
        />
      ))}
      <line x1={0} x2={width} y1={height} y2={height} stroke="var(--line)" />
    </svg>
  );
};
