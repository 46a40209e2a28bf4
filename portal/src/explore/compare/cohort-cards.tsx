import { Button } from 'react-aria-components';
import type { Overview } from '../../api/answer.ts';
import type { Catalogue } from '../../api/catalogue.ts';
import { useCohortTexts } from '../../i18n/cohorts/use-cohort-texts.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useRecords } from '../../look/counted.ts';
import { CoverageBadge } from '../../look/coverage-badge.tsx';
import { countedWithout, countText, coverageOfTotal } from '../../look/honest.ts';
import { CheckIcon } from '../../look/icons.tsx';
import { Tick } from '../../look/tick.tsx';
import { go } from '../../state/navigation.ts';
import { usePlace } from '../../state/use-place.ts';
import { linkedCohort, viewOfCohort, type Cohort } from '../../state/view.ts';
import { describeView } from '../sentence/describe-filter.ts';
import { useWords } from '../sentence/use-terms.ts';

const maxCohorts = 4;

interface PickedProps {
  readonly cohorts: readonly Cohort[];
  readonly own: readonly Cohort[];
  readonly onChange: (cohorts: readonly Cohort[]) => void;
}

/** The selection of this browser's cohorts to compare. */
export const Picked = ({ cohorts, own, onChange }: PickedProps) => {
  const words = useCohortTexts();
  if (own.length === 0) return null;
  return (
    <fieldset className="picked">
      <legend className="small quiet">{words.pickCohorts}</legend>
      {own.map((cohort) => {
        const isTicked = cohorts.some(({ name }) => name === cohort.name);
        return (
          <Tick
            key={cohort.name}
            isTicked={isTicked}
            isDisabled={!isTicked && cohorts.length >= maxCohorts}
            mark={<CheckIcon />}
            onToggle={() =>
              onChange(
                isTicked
                  ? cohorts.filter(({ name }) => name !== cohort.name)
                  : [...cohorts, linkedCohort(cohort)],
              )
            }
          >
            <span className="text">{cohort.name}</span>
          </Tick>
        );
      })}
    </fieldset>
  );
};

interface Of {
  readonly catalogue: Catalogue;
}

const Sentence = ({ catalogue, cohort }: Of & { readonly cohort: Cohort }) => {
  const view = viewOfCohort(cohort);
  return describeView(view, catalogue, useWords(view.filters ?? [], catalogue));
};

/** The number of records of a cohort, and of institutions. */
const CohortSize = ({ catalogue, overview }: Of & { readonly overview: Overview | undefined }) => {
  const { t, number, list } = useLocale();
  const records = useRecords(catalogue);
  if (overview === undefined) return <p className="quiet">{t.loading}</p>;
  const { total } = overview;
  const without = countedWithout(overview);
  return (
    <>
      <div className="number">
        {total === null ? '—' : countText({ ...overview, count: total }, number, t)}
      </div>
      <p className="small quiet">
        {total === null ? t.fromNobody : records(total)}{' '}
        {without.length > 0 && t.fromAllBut(overview.nodes.length, list(without))}{' '}
        <CoverageBadge catalogue={catalogue} coverage={coverageOfTotal(overview, catalogue)} />
      </p>
    </>
  );
};

interface CohortCardsProps extends Of {
  readonly cohorts: readonly Cohort[];
  readonly data: readonly (Overview | undefined)[];
  readonly onChange: (cohorts: readonly Cohort[]) => void;
}

/** The compared cohorts: their colours, sizes and sentences. */
export const CohortCards = ({ catalogue, cohorts, data, onChange }: CohortCardsProps) => {
  const { t } = useLocale();
  const words = useCohortTexts();
  const { source } = usePlace().view;
  if (cohorts.length === 0) return null;
  return (
    <div className="figures" role="list" aria-label={t.cohorts}>
      {cohorts.map((cohort, at) => (
        <div key={`${at} ${cohort.name}`} role="listitem" className="cohortsize">
          <div className="row">
            <span className="dot" style={{ background: `var(--cohort-${at})` }} aria-hidden />
            <Button
              className="bare"
              aria-label={t.showCohort(cohort.name)}
              onPress={() =>
                go('explore', { ...(source !== undefined && { source }), ...viewOfCohort(cohort) })
              }
            >
              {cohort.name}
            </Button>
            <Button
              className="bare"
              aria-label={t.remove(cohort.name)}
              onPress={() => onChange(cohorts.filter((_, index) => index !== at))}
            >
              ×
            </Button>
            {cohorts.length > 1 &&
              (at === 0 ? (
                <small className="badge">{words.reference}</small>
              ) : (
                <Button
                  className="bare small"
                  aria-label={t.labelled(words.makeReference, cohort.name)}
                  onPress={() => onChange([cohort, ...cohorts.filter((_, index) => index !== at)])}
                >
                  {words.makeReference}
                </Button>
              ))}
          </div>
          <CohortSize catalogue={catalogue} overview={data[at]} />
          <p className="small quiet">
            <Sentence catalogue={catalogue} cohort={cohort} />
          </p>
        </div>
      ))}
    </div>
  );
};
