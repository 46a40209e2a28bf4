import { titleOf, type Field } from '../../api/fields.ts';
import { useMarks } from '../../charts/use-marks.tsx';
import { useCohortTexts } from '../../i18n/cohorts/use-cohort-texts.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { showValue } from '../../look/show-value.ts';
import { atRiskAt, heightAt, type CurvePoint, type EventTime } from './kaplan-meier.ts';

/** A cohort's curve. */
export interface Curve {
  readonly name: string;
  readonly times: readonly EventTime[];
  readonly points: readonly CurvePoint[];
}

interface SurvivalCurvesProps {
  readonly curves: readonly Curve[];
  readonly field: Field;
  readonly last: number;
  /** Round times for which numbers at risk are shown. */
  readonly ticks: readonly number[];
  readonly width: number;
}

const [left, right, top, height, axisHeight, rowHeight] = [52, 16, 8, 260, 40, 18];
const shares = [0, 0.25, 0.5, 0.75, 1];
/** Longer names do not fit next to the picture. */
const maxLetters = 40;

/** Steps with their bands, ticks at times when records were last seen, and numbers at risk below the axis. */
export const SurvivalCurves = ({ curves, field, last, ticks, width }: SurvivalCurvesProps) => {
  const words = useCohortTexts().survival;
  const locale = useLocale();
  const { t, number, percent } = locale;
  const x = (time: number): number => left + (time / last) * (width - left - right);
  const y = (share: number): number => top + (1 - share) * (height - top);
  const show = showValue(field, locale);
  const unit = field.unit === null ? '' : ` ${field.unit}`;
  const textAt = ({ points, times }: Curve, time: number): string => {
    const atRisk = t.labelled(words.atRisk, number(atRiskAt(times, time)));
    const here = heightAt(points, time);
    if (here === null) return atRisk;
    const { survival, lower, upper } = here;
    const limits = lower === null ? '' : ` (${t.atLeast(percent(lower), percent(upper!))})`;
    return `${percent(survival)}${limits} · ${atRisk}`;
  };
  const marks = useMarks({
    count: ticks.length,
    card: (at) => (
      <>
        <b>{number(ticks[at]!) + unit}</b>
        {curves.map((curve, cohort) => (
          <span key={cohort}>
            <span className="dot" style={{ background: `var(--cohort-${cohort})` }} aria-hidden />{' '}
            {t.labelled(curve.name, textAt(curve, ticks[at]!))}
          </span>
        ))}
      </>
    ),
  });
  const rows = height + axisHeight;
  const span = (x(ticks[1] ?? last) - x(ticks[0] ?? 0)) / 2;
  return (
    <div {...marks.frame}>
      <svg
        className="drawing"
        viewBox={`0 0 ${width} ${rows + curves.length * rowHeight + 8}`}
        style={{ maxWidth: width }}
        role="group"
        aria-label={`${words.share}: ${titleOf(field)}`}
        fontSize={12}
      >
        {shares.map((share) => (
          <g key={share}>
            <line x1={left} x2={width - right} y1={y(share)} y2={y(share)} stroke="var(--line)" />
            <text x={left - 6} y={y(share) + 4} textAnchor="end" fill="var(--quiet)">
              {`${number(share * 100)} %`}
            </text>
          </g>
        ))}
        {ticks.map((time) => (
          <text key={time} x={x(time)} y={height + 16} textAnchor="middle" fill="var(--quiet)">
            {show(time)}
          </text>
        ))}
        <text x={3} y={height + 34} fill="var(--quiet)">
          {words.atRisk}
        </text>
        {curves.map(({ points, times, name }, at) => (
          <g key={at} fill="none" stroke={`var(--cohort-${at})`}>
            <path d={bandOf(points, x, y)} fill={`var(--cohort-${at})`} stroke="none" opacity={0.14} />
            <path d={stepsOf(points, last, x, y)} strokeWidth={2} />
            <path d={ticksOf(points, x, y)} strokeWidth={1} />
            <g stroke="none" fill={`var(--cohort-${at})`}>
              <circle
                cx={8}
                cy={rows + at * rowHeight + 8}
                r={5}
                data-institution={name.slice(0, maxLetters)}
              />
              {ticks.map((time) => (
                <text key={time} x={x(time)} y={rows + at * rowHeight + 12} textAnchor="middle">
                  {number(atRiskAt(times, time))}
                </text>
              ))}
            </g>
          </g>
        ))}
        {ticks.map((time, at) => (
          <g
            key={time}
            {...marks.markProps(
              at,
              `${number(time)}${unit}: ${curves.map((curve) => t.labelled(curve.name, textAt(curve, time))).join('; ')}`,
            )}
          >
            <rect
              x={Math.max(0, x(time) - span)}
              width={Math.min(width, x(time) + span) - Math.max(0, x(time) - span)}
              y={0}
              height={height}
              fill="transparent"
            />
          </g>
        ))}
      </svg>
      {marks.card}
    </div>
  );
};

type Scale = (value: number) => number;

const place = (value: number): string => value.toFixed(1);

/** Horizontal up to each event time, then down; to the end of the observation. */
const stepsOf = (points: readonly CurvePoint[], last: number, x: Scale, y: Scale): string => {
  const end = points.at(-1)?.time ?? last;
  const steps = points.filter(({ events }) => events > 0);
  return `M${place(x(0))} ${place(y(1))}${steps.map(({ time, survival }) => `H${place(x(time))}V${place(y(survival))}`).join('')}H${place(x(end))}`;
};

/** The area between the limits: forward along the upper and back along the lower ones. */
const bandOf = (points: readonly CurvePoint[], x: Scale, y: Scale): string => {
  const known = points.filter(({ events, lower }) => events > 0 && lower !== null);
  const end = points.at(-1)?.time;
  if (known.length === 0 || end === undefined) return '';
  const forth = known.map((one) => `H${place(x(one.time))}V${place(y(one.upper!))}`);
  const back = known.toReversed().map((one) => `V${place(y(one.lower!))}H${place(x(one.time))}`);
  return `M${place(x(0))} ${place(y(1))}${forth.join('')}H${place(x(end))}${back.join('')}V${place(y(1))}Z`;
};

const ticksOf = (points: readonly CurvePoint[], x: Scale, y: Scale): string =>
  points
    .filter(({ censored }) => censored > 0)
    .map(({ time, survival }) => `M${place(x(time))} ${place(y(survival) - 4)}v8`)
    .join('');
