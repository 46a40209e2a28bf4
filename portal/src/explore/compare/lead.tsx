import type { Field } from '../../api/fields.ts';
import { titleOf } from '../../api/fields.ts';
import type { CohortTexts } from '../../i18n/cohorts/en.ts';
import { useCohortTexts } from '../../i18n/cohorts/use-cohort-texts.ts';
import { useLocale } from '../../i18n/locale.tsx';
import type { Cohort } from '../../state/view.ts';
import type { Words } from '../sentence/describe-filter.ts';
import type { Compared } from './compared-field.tsx';
import type { ComparedRow } from './compared.ts';
import { hazardRatio } from './hazard-ratio.ts';
import { medianOf } from './kaplan-meier.ts';
import type { Tested } from './statistics.ts';
import type { Curve } from './survival-curves.tsx';

interface SurvivalLeadProps {
  readonly curves: readonly Curve[];
  readonly field: Field;
  /** null: not tested. */
  readonly tested: Tested | null;
  /** The value that marks the event, with its share of each cohort; null: not known. */
  readonly event: ComparedRow | null;
}

/** What a comparison of survival found, in sentences: medians, the test, hazard ratios against the first cohort, deaths. */
export const SurvivalLead = ({ curves, field, tested, event }: SurvivalLeadProps) => {
  const locale = useLocale();
  const words = useCohortTexts();
  const medians = curves.map(({ points }) => medianOf(points).median);
  const show = timeText(medians, field, locale, words);
  const [first, ...others] = curves.map(({ name }, at) =>
    at === 0 ? words.lead.medianSurvival(name, show(medians[at]!)) : `${name} ${show(medians[at]!)}`,
  );
  const test = tested === null ? [] : [words.lead.logRank(probability(tested.p, locale))];
  return (
    <p className="lead" role="status">
      {[
        [first, ...others, ...test].join(words.lead.then),
        ...(tested === null ? [] : ratioTexts(curves, locale, words)),
        ...(event === null ? [] : sharesText(event.label, event, locale, words)),
      ]
        .map((sentence) => `${sentence}.`)
        .join(' ')}
    </p>
  );
};

/** A cohort's ratio against the first cohort, with its limits. */
const ratioTexts = (
  [reference, ...others]: readonly Curve[],
  { t, number }: Words,
  words: CohortTexts,
): readonly string[] =>
  others.flatMap(({ name, times }) => {
    const found = hazardRatio(times, reference!.times);
    if (found === null) return [];
    const [ratio, lower, upper] = [found.ratio, found.lower, found.upper].map((value) =>
      number(Number(value.toPrecision(3))),
    );
    return [words.lead.hazardRatio(name, reference!.name, ratio!, t.atLeast(lower!, upper!))];
  });

/** Long times in days are told in years. */
const timeText = (
  medians: readonly (number | null)[],
  { unit }: Field,
  { number }: Words,
  words: CohortTexts,
): ((time: number | null) => string) => {
  const isInDays = /^(d|days?|jours?|tage?)$/i.test(unit ?? '');
  const areYears = isInDays && Math.max(...medians.map((median) => median ?? 0)) >= daysFrom;
  return (time) => {
    if (time === null) return words.survival.notReached;
    if (areYears) return words.lead.years(number(Math.round((time / daysOfYear) * 10) / 10));
    return unit === null ? number(time) : `${number(time)} ${unit}`;
  };
};

const daysOfYear = 365.25;
const daysFrom = 730;

const probability = (p: number, { number }: Words): string =>
  p < 0.001 ? `< ${number(0.001)}` : `= ${number(Number(p.toFixed(3)))}`;

const sharesText = (
  label: string,
  { shares }: ComparedRow,
  { t, percent }: Words,
  words: CohortTexts,
): readonly string[] =>
  shares.some((share) => share === null || share.high > share.low)
    ? []
    : [t.labelled(label, words.lead.against(shares.map((share) => percent(share!.low))))];

/** Where there is no survival: what differs most. */
export const DifferenceLead = ({
  cohorts,
  compared,
}: {
  readonly cohorts: readonly Cohort[];
  readonly compared: Compared | undefined;
}) => {
  const locale = useLocale();
  const words = useCohortTexts();
  const { field, rows = [], tested } = compared ?? {};
  const most = rows.toSorted((one, other) => sizeOf(other) - sizeOf(one))[0];
  if (field == null || most === undefined || most.difference === null) return null;
  const [shares] = sharesText(`${titleOf(field)} ${most.label}`, most, locale, words);
  if (shares === undefined) return null;
  const p =
    tested == null || typeof tested === 'string'
      ? ''
      : `${words.lead.then}p ${probability(tested.p, locale)}`;
  return (
    <p className="lead" role="status">
      {locale.list(cohorts.map(({ name }) => name))}. {`${shares}${p}.`}
    </p>
  );
};

const sizeOf = ({ difference }: ComparedRow): number => Math.abs(difference ?? 0);
