import type { Bucket, ValuesFacet } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { Unit } from '../api/units.ts';
import { useLocale } from '../i18n/locale.tsx';
import { canBeChosen, countText, drawnUpper } from '../look/honest.ts';
import { colourOf, nameOf, shortName } from '../look/node-colours.ts';
import { valueText } from '../look/value-text.ts';
import { MarkCard } from './mark-card.tsx';
import { partsOf } from './parts-of.ts';
import { useChartWidth } from './use-chart-width.ts';
import { useMarks } from './use-marks.tsx';

interface BarChartProps {
  readonly catalogue: Catalogue;
  readonly facet: ValuesFacet;
  readonly title: string;
  /** What is counted. */
  readonly unit: Unit;
  /** The number of records that shares refer to; null: not known. */
  readonly of: number | null;
  readonly actionOf: (bucket: Bucket) => string;
  /** The filter's selection of these values: the others are pale. */
  readonly chosen: { readonly values: readonly string[]; readonly isExcluded: boolean };
  readonly onChoose: (key: string) => void;
}

const letterWidth = 7;
const lineHeight = 26;

/** The division of a chart of some width. */
interface Room {
  readonly width: number;
  readonly labelWidth: number;
  readonly maxLetters: number;
  readonly gapWidth: number;
}

/** @param longest the length of the longest label: it is shown in full if that leaves the bars half of the width */
const roomOf = (width: number, longest: number): Room => {
  const [least, gapWidth] = width < 400 ? [104, 24] : [128, 90];
  const labelWidth = Math.min(width * widestLabel, Math.max(least, 8 + longest * letterWidth));
  return { width, labelWidth, maxLetters: Math.floor((labelWidth - 8) / letterWidth), gapWidth };
};

const widestLabel = 0.46;

/** Bars by value, in the colours of institutions; a whisker for upper bounds, a dashed gap for missing institutions. */
export const BarChart = ({
  catalogue,
  facet,
  title,
  unit,
  of,
  actionOf,
  chosen,
  onChoose,
}: BarChartProps) => {
  const { t, number } = useLocale();
  const { buckets } = facet;
  const field = catalogue.fields.get(facet.path);
  const named = (bucket: Bucket): string => valueText(bucket, field, t);
  const room = roomOf(useChartWidth(), Math.max(0, ...buckets.map((bucket) => named(bucket).length)));
  const { width, labelWidth } = room;
  const silent = (facet.coverage ?? []).filter(({ state }) => state === 'failed');
  // bounds are two numbers, which need more room than one
  const longest = Math.max(5, ...buckets.map((bucket) => countText(bucket, number, t).length));
  const countWidth = 12 + longest * letterWidth;
  const most = Math.max(1, ...buckets.map(drawnUpper));
  const barWidth = width - labelWidth - countWidth;
  const x = (count: number): number => (count / most) * barWidth;
  const height = (buckets.length + silent.length) * lineHeight + 4;
  const isPale = (key: string): boolean =>
    chosen.values.length > 0 && chosen.values.includes(key) === chosen.isExcluded;
  const marks = useMarks({
    count: buckets.length,
    card: (at) => {
      const bucket = buckets[at]!;
      const act = canBeChosen(bucket) ? actionOf(bucket) : undefined;
      return (
        <MarkCard
          {...{ catalogue, unit, of }}
          title={named(bucket)}
          count={bucket}
          nodes={bucket.nodes}
          action={act}
        />
      );
    },
    onAct: (at) => onChoose(buckets[at]!.key),
  });
  return (
    <div {...marks.frame}>
      <svg
        className="drawing"
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={title}
        fontSize={12}
      >
        {buckets.map((bucket, at) => (
          <g key={bucket.key} transform={`translate(0 ${at * lineHeight})`}>
            <g {...marks.markProps(at, t.labelled(named(bucket), countText(bucket, number, t)))}>
              <rect width={width} height={lineHeight} fill="transparent" />
              {partsOf(catalogue, bucket).map(({ nodeId, from, to }) => (
                <rect
                  key={nodeId}
                  data-institution={nodeId === '' ? undefined : nameOf(catalogue, nodeId)}
                  x={labelWidth + x(from)}
                  y={5}
                  width={Math.max(0.5, x(to) - x(from) - (to < bucket.count ? 1 : 0))}
                  height={16}
                  fill={nodeId === '' ? 'var(--accent)' : colourOf(catalogue, nodeId)}
                  opacity={isPale(bucket.key) ? 0.35 : 1}
                />
              ))}
              {drawnUpper(bucket) > bucket.count && (
                <Whisker from={labelWidth + x(bucket.count)} to={labelWidth + x(drawnUpper(bucket))} />
              )}
            </g>
            <text x={labelWidth - 8} y={17} textAnchor="end" fill="var(--text)" pointerEvents="none">
              {clipped(named(bucket), room)}
            </text>
            <text x={labelWidth + x(drawnUpper(bucket)) + 6} y={17} fill="var(--text)" pointerEvents="none">
              {countText(bucket, number, t)}
            </text>
          </g>
        ))}
        {silent.map((missing, at) => (
          <Gap
            key={missing.nodeId}
            name={shortName(nameOf(catalogue, missing.nodeId))}
            y={(buckets.length + at) * lineHeight}
            room={room}
          />
        ))}
      </svg>
      {marks.card}
    </div>
  );
};

const clipped = (text: string, { maxLetters }: Room): string =>
  text.length > maxLetters ? `${text.slice(0, maxLetters - 1)}…` : text;

const Whisker = ({ from, to }: { readonly from: number; readonly to: number }) => (
  <path
    d={`M${from} 13H${to}M${to} 7V19`}
    stroke="var(--text)"
    strokeWidth={1.5}
    fill="none"
    data-testid="whisker"
  />
);

/** An institution that did not answer has a place in the chart, and no length. */
const Gap = ({ name, y, room }: { readonly name: string; readonly y: number; readonly room: Room }) => {
  const { t } = useLocale();
  const { labelWidth, gapWidth } = room;
  return (
    <g transform={`translate(0 ${y})`}>
      <text x={labelWidth - 8} y={17} textAnchor="end" fill="var(--warn)">
        {clipped(name, room)}
      </text>
      <rect
        x={labelWidth + 0.5}
        y={5.5}
        width={gapWidth}
        height={15}
        fill="none"
        stroke="var(--warn)"
        strokeDasharray="3 3"
      />
      <text x={labelWidth + gapWidth + 8} y={17} fill="var(--quiet)">
        {t.notInTheseNumbers}
      </text>
    </g>
  );
};
