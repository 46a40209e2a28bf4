import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Slider, SliderThumb, SliderTrack } from 'react-aria-components';
import type { RangesFacet } from '../../api/answer.ts';
import type { Catalogue } from '../../api/catalogue.ts';
import { isYear, type Field } from '../../api/fields.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { MISSING } from '../../../../src/sqon/ast.ts';
import { fetchOverview, type Question } from '../../api/questions.ts';
import { useRecords } from '../../look/counted.ts';
import { isKnown, whyEmpty } from '../../look/honest.ts';
import { choiceOf, chosenOf, rangeOf, withMissing, withRange } from '../../state/edit.ts';
import type { View } from '../../state/view.ts';
import { questionOf } from '../view-question.ts';
import type { FacetProps } from './facet-props.ts';
import { MiniHistogram } from './mini-histogram.tsx';
import { ValueRow } from './value-row.tsx';

interface RangeFacetProps extends FacetProps {
  readonly facet: RangesFacet;
}

const dayMs = 86_400_000;

/** Numbers or dates: a histogram with two handles, and the same two ends to type. */
export const RangeFacet = ({ catalogue, facet, field, view, edit, extents }: RangeFacetProps) => {
  const { t, number, day } = useLocale();
  const extent = extents.get(field.path);
  const isDate = facet.kind === 'dates';
  const [low, high] = rangeOf(view, field.path);
  if (extent === undefined || facet.bins.length === 0)
    return (
      <>
        <p className="quiet small">{isKnown(facet) ? t.noNumbers : t.zero[whyEmpty(facet)]}</p>
        <NoValue {...{ catalogue, field, view, edit }} />
      </>
    );
  const toNumber = (value: string | number): number => (isDate ? Date.parse(String(value)) : Number(value));
  const ends: readonly [number, number] = [
    low === null ? extent.min : toNumber(low),
    high === null ? extent.max : toNumber(high),
  ];
  const write = (value: number): string | number =>
    isDate ? new Date(value).toISOString().slice(0, 10) : value;
  const choose = (from: number | null, to: number | null): void =>
    edit((now) =>
      withRange(
        now,
        field.path,
        from === null || from <= extent.min ? null : write(from),
        to === null || to >= extent.max ? null : write(to),
      ),
    );
  const show = isDate ? day : isYear(field.path) ? String : number;
  return (
    <>
      <MiniHistogram
        facet={facet}
        ends={ends}
        extent={extent}
        label={`${field.name}: ${t.rangeOf(show(ends[0]), show(ends[1]))}`}
      />
      <TwoEnds
        key={ends.join()}
        label={field.name}
        min={extent.min}
        max={extent.max}
        step={isDate ? dayMs : stepOf(field, extent.max - extent.min)}
        ends={ends}
        show={show}
        onChoose={choose}
      />
      <div className="range">
        <End
          label={t.from}
          isDate={isDate}
          value={low}
          onCommit={(value) => choose(value, high === null ? null : toNumber(high))}
        />
        <End
          label={t.to}
          isDate={isDate}
          value={high}
          onCommit={(value) => choose(low === null ? null : toNumber(low), value)}
        />
      </div>
      <NoValue {...{ catalogue, field, view, edit }} />
    </>
  );
};

/** Records without a number or date: how many there are, to choose them. Nothing where every record has one. */
const NoValue = ({ catalogue, field, view, edit }: Omit<FacetProps, 'extents' | 'showMore' | 'path'>) => {
  const { path } = field;
  const records = useRecords(catalogue);
  const isChosen = chosenOf(view, path).values.includes(MISSING);
  const question = useMemo(() => missingIn(view, path, catalogue), [view, path, catalogue]);
  const { data } = useQuery({
    queryKey: ['missing', catalogue.source.id, path, question],
    queryFn: ({ signal }) =>
      fetchOverview(catalogue, question, [], new Map(), { asUsual: 0, more: {} }, signal),
    placeholderData: keepPreviousData,
  });
  if (data?.total == null || (data.upper === 0 && !isChosen)) return null;
  return (
    <ValueRow
      bucket={{
        key: MISSING,
        label: null,
        count: data.total,
        upper: data.upper,
        estimate: data.estimate,
        nodes: null,
      }}
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

/** The records of a view without a value of a field; what the view says about the field itself is left out, as in facets. */
const missingIn = (view: View, path: string, catalogue: Catalogue): Question => {
  if (view.join !== 'or') return questionOf(withMissing(view, path, true), catalogue);
  const without = choiceOf(path, [MISSING]);
  const { filter, nodes } = questionOf(view, catalogue);
  return { filter: filter === null ? without : { op: 'and', content: [filter, without] }, nodes };
};

interface TwoEndsProps {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly ends: readonly [number, number];
  readonly show: (value: number) => string;
  readonly onChoose: (from: number, to: number) => void;
}

/** Queries when a handle is released, not while it moves. */
const TwoEnds = ({ label, min, max, step, ends, show, onChoose }: TwoEndsProps) => {
  const { t } = useLocale();
  const [at, setAt] = useState<readonly number[]>(ends);
  return (
    <Slider
      className="slider"
      aria-label={label}
      minValue={min}
      maxValue={max}
      step={step}
      value={[...at]}
      onChange={(value) => setAt(value as number[])}
      onChangeEnd={(value) => onChoose((value as number[])[0]!, (value as number[])[1]!)}
    >
      <SliderTrack className="track">
        <SliderThumb className="thumb" index={0} aria-label={`${label} ${t.from} ${show(at[0]!)}`} />
        <SliderThumb className="thumb" index={1} aria-label={`${label} ${t.to} ${show(at[1]!)}`} />
      </SliderTrack>
    </Slider>
  );
};

interface EndProps {
  readonly label: string;
  readonly isDate: boolean;
  readonly value: string | number | null;
  readonly onCommit: (value: number | null) => void;
}

/** One end to type; taken when the field is left or Enter is pressed. */
const End = ({ label, isDate, value, onCommit }: EndProps) => {
  const written = value === null ? '' : isDate ? String(value).slice(0, 10) : String(value);
  const [text, setText] = useState(written);
  useEffect(() => setText(written), [written]);
  const commit = (): void => {
    if (text === written) return;
    const read = isDate ? Date.parse(text) : Number(text);
    if (text === '') onCommit(null);
    else if (Number.isNaN(read)) setText(written);
    else onCommit(read);
  };
  return (
    <label className="small">
      <span className="quiet">{label}</span>
      <input
        className="field"
        type={isDate ? 'date' : 'text'}
        inputMode={isDate ? undefined : 'decimal'}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
    </label>
  );
};
