import { useEffect, useRef, useState } from 'react';
import { I18nProvider, Slider, SliderThumb, SliderTrack } from 'react-aria-components';
import type { RangesFacet } from '../../api/answer.ts';
import type { Extent } from '../../api/extents.ts';
import { endNumber, isoDay, rangeEndsOf, shownNumber, timeOf, type Field } from '../../api/fields.ts';
import { ofRecords, type Unit } from '../../api/units.ts';
import Histogram from '../../charts/histogram.tsx';
import { drawnBins } from '../../charts/drawn-bins.ts';
import type { Formats } from '../../i18n/formats.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { MISSING } from '../../../../src/sqon/ast.ts';
import { useRecords } from '../../look/counted.ts';
import { coveredRecords, isKnown, whyEmpty } from '../../look/honest.ts';
import { showValue } from '../../look/show-value.ts';
import { chosenOf } from '../../state/chosen.ts';
import { rangeOf, withMissing, withRange } from '../../state/edit.ts';
import { useMissing } from '../use-missing.ts';
import type { FacetProps } from './facet-props.ts';
import { ValueRow } from './value-row.tsx';

interface RangeFacetProps extends FacetProps {
  readonly facet: RangesFacet;
  /** What is counted. */
  readonly unit: Unit;
}

const dayMs = 86_400_000;

/** Numbers or dates: a histogram with two handles, and inputs for both ends. */
const RangeFacet = ({ catalogue, facet, unit, field, view, edit, extents, total }: RangeFacetProps) => {
  const locale = useLocale();
  const { t } = locale;
  const { path } = field;
  const isDate = facet.kind === 'dates';
  const [low, high] = rangeOf(view, path);
  if (!extents.has(path) || facet.bins.length === 0)
    return (
      <>
        <p className="quiet small">{isKnown(facet) ? t.noNumbers : t.zero[whyEmpty(facet)]}</p>
        <NoValue {...{ catalogue, facet, field, view, edit }} />
      </>
    );
  const { min, max } = drawnExtent(facet, extents.get(path)!);
  const ends = [endNumber(field, low, min), endNumber(field, high, max)] as const;
  const write = (value: number): string | number => (isDate ? isoDay(value) : value);
  const set = (from: string | number | null, to: string | number | null): void =>
    edit((now) => withRange(now, path, from, to));
  const step = isDate ? dayMs : stepOf(field, max - min);
  const choose: TwoEndsProps['onChoose'] = (end, at) => {
    if (end === 'from') set(at <= min ? null : write(at), high);
    // the last step may not reach the greatest value
    else set(low, at + step > max ? null : write(at));
  };
  const show = showValue(field, locale);
  return (
    <>
      <Histogram
        {...{ catalogue, field, facet, unit, maxBins }}
        of={low === null && high === null && unit === ofRecords ? coveredRecords(facet, total) : null}
        label={t.labelled(
          field.name,
          t[isDate ? 'ofDates' : 'ofNumbers'].between(show(ends[0]), show(ends[1])),
        )}
        width={260}
        height={80}
        isSmall
        chosen={ends}
        action={t.filterByRange}
        onRange={(from, to) => set(...rangeEndsOf(field, from, to))}
        onClear={() => set(null, null)}
      />
      <TwoEnds
        label={field.name}
        min={Math.min(min, ends[0])}
        max={Math.max(max, ends[1])}
        {...{ step, ends }}
        show={show}
        onChoose={choose}
      />
      <div className="range" dir="ltr">
        <End
          label={t.from}
          name={t.labelled(field.name, t.from)}
          isDate={isDate}
          value={low}
          onCommit={(value) => set(value === null ? null : write(value), high)}
        />
        <End
          label={t.to}
          name={t.labelled(field.name, t.to)}
          isDate={isDate}
          value={high}
          onCommit={(value) => set(low, value === null ? null : write(value))}
        />
      </div>
      <NoValue {...{ catalogue, facet, field, view, edit }} />
    </>
  );
};

const maxBins = 52;

/** The ends of the drawn range: on a slider over a tail of few values, handles would hardly move. */
const drawnExtent = (facet: RangesFacet, { min, max }: Extent): Pick<Extent, 'min' | 'max'> => {
  const { before, beyond } = drawnBins(facet.bins, maxBins);
  return { min: before.end ?? min, max: beyond.end ?? max };
};

/** The number of records without a number or date, as a choice. Empty if every record has one. */
const NoValue = ({
  catalogue,
  facet,
  field,
  view,
  edit,
}: Omit<FacetProps, 'extents' | 'showMore' | 'path' | 'total'> & { readonly facet: RangesFacet }) => {
  const { path } = field;
  const records = useRecords(catalogue);
  const isChosen = chosenOf(view, path).values.includes(MISSING);
  const bucket = useMissing(catalogue, view, facet);
  if (!isChosen && (bucket === null || bucket.upper === 0)) return null;
  return (
    <ValueRow
      bucket={bucket}
      valueKey={MISSING}
      field={field}
      largest={Infinity}
      counted={records}
      unlistedUpper={null}
      isChosen={isChosen}
      isExcluded={false}
      onToggle={() => edit((now) => withMissing(now, path, !isChosen))}
    />
  );
};

const stepOf = ({ type }: Field, span: number): number => (/float|double/.test(type) ? span / 100 || 1 : 1);

interface TwoEndsProps {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly ends: readonly [number, number];
  readonly show: (value: number) => string;
  readonly onChoose: (end: 'from' | 'to', at: number) => void;
}

/** Queries when a handle is released, not while it moves. */
const TwoEnds = ({ label, min, max, step, ends, show, onChoose }: TwoEndsProps) => {
  const { t, language } = useLocale();
  const [{ of, at }, setAt] = useState<{ readonly of: string; readonly at: readonly number[] }>({
    of: '',
    at: ends,
  });
  // rendered again, it would lose the focus, and the next key press with it
  if (of !== ends.join()) setAt({ of: ends.join(), at: ends });
  // both are rounded to the nearest step
  const moved = useRef(0);
  // left to right in every language, like the bars above it and the axes of all charts
  return (
    <I18nProvider locale={`${language}-Latn`}>
      <Slider
        className="slider"
        aria-label={label}
        minValue={min}
        maxValue={max}
        step={step}
        value={[...at]}
        onChange={(value) => setAt({ of, at: value as number[] })}
        onChangeEnd={(value) =>
          onChoose(moved.current === 0 ? 'from' : 'to', (value as number[])[moved.current]!)
        }
      >
        <SliderTrack className="track">
          {[t.from, t.to].map((end, index) => (
            <SliderThumb
              key={end}
              className="thumb"
              index={index}
              aria-label={`${label} ${end} ${show(at[index]!)}`}
              onFocus={() => (moved.current = index)}
            />
          ))}
        </SliderTrack>
      </Slider>
    </I18nProvider>
  );
};

interface EndProps {
  readonly label: string;
  /** With the name of the field: each part of a date is read with it. */
  readonly name: string;
  readonly isDate: boolean;
  readonly value: string | number | null;
  readonly onCommit: (value: number | null) => void;
}

/** The end of a range as an input field shows it; empty: open. */
const textOfEnd = (end: string | number | null, isDate: boolean, typed: Formats['typed']): string => {
  if (end === null) return '';
  if (isDate) return String(end).split('T')[0]!;
  const shown = shownNumber(end);
  return typeof shown === 'number' ? typed(shown) : shown;
};

/** An input for one end; applied when the field is left or Enter is pressed. */
const End = ({ label, name, isDate, value, onCommit }: EndProps) => {
  const { t, number, typed: toType, readNumber } = useLocale();
  const written = textOfEnd(value, isDate, toType);
  const [text, setText] = useState(written);
  const [refused, setRefused] = useState<string | null>(null);
  useEffect(() => setText(written), [written]);
  const isRefused = refused === text;
  const commit = (): void => {
    const typed = text.trim();
    if (typed === written) return setText(written);
    const read = isDate ? timeOf(typed) : readNumber(typed);
    if (typed === '') onCommit(null);
    else if (Number.isFinite(read)) onCommit(read);
    else setRefused(text);
  };
  return (
    <label className="small">
      <span className="quiet">{label}</span>
      <input
        className="field"
        type={isDate ? 'date' : 'text'}
        inputMode={isDate ? undefined : 'decimal'}
        // the message is no part of its name
        aria-label={name}
        aria-invalid={isRefused}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
      {isRefused && <span role="alert">{t.noNumber(number(1234.5))}</span>}
    </label>
  );
};

export default RangeFacet;
