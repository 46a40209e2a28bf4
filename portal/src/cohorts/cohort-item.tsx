import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Overview } from '../api/answer.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { describeView } from '../explore/sentence/describe-filter.ts';
import { useWords } from '../explore/sentence/use-terms.ts';
import { useCohortTexts } from '../i18n/cohorts/use-cohort-texts.ts';
import { CoverageBadge } from '../look/coverage-badge.tsx';
import { countText, coverageOfTotal } from '../look/honest.ts';
import { CheckIcon } from '../look/icons.tsx';
import { Tick } from '../look/tick.tsx';
import { viewOfCohort } from '../state/view.ts';
import { sizeNow, type KeptCohort } from './kept.ts';

interface CohortItemProps {
  readonly cohort: KeptCohort;
  readonly catalogue: Catalogue | undefined;
  readonly overview: Overview | undefined;
  readonly isTicked: boolean;
  readonly onToggle: () => void;
  readonly onChange: (now: Partial<KeptCohort>) => void;
  readonly onRemove: () => void;
  readonly onOpen: () => void;
}

/** A saved cohort: its sentence, its size then and now, and its actions. */
export const CohortItem = (props: CohortItemProps) => {
  const { cohort, catalogue, overview, isTicked, onToggle, onChange, onRemove, onOpen } = props;
  const view = viewOfCohort(cohort);
  const locale = useWords(view.filters ?? [], catalogue);
  const { t, number, day, records } = locale;
  const words = useCohortTexts();
  const [isRenaming, setRenaming] = useState(false);
  const { total = null, upper = 0 } = overview ?? {};
  const { then } = cohort;
  useEffect(() => {
    const now = then === undefined && overview !== undefined ? sizeNow(overview) : null;
    if (now) onChange({ then: now });
  }, [then, overview]);
  const rename = (text: string): void => {
    setRenaming(false);
    const name = text.trim();
    if (name !== '' && name !== cohort.name) onChange({ name });
  };
  return (
    <li className="cohort">
      {isRenaming ? (
        <input
          className="field"
          aria-label={t.cohortName}
          autoFocus
          defaultValue={cohort.name}
          maxLength={60}
          onFocus={({ target }) => target.select()}
          onBlur={({ target }) => rename(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') rename(event.currentTarget.value);
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            setRenaming(false);
          }}
        />
      ) : (
        <Tick isTicked={isTicked} isDisabled={false} mark={<CheckIcon />} onToggle={onToggle}>
          <b className="text">{cohort.name}</b>
          <em>
            {overview === undefined
              ? '…'
              : total === null
                ? '—'
                : `${countText({ count: total, upper }, number, t)} ${records(total)}`}
          </em>
        </Tick>
      )}
      {catalogue !== undefined && (
        <p className="small quiet">
          {describeView(view, catalogue, locale)}{' '}
          {overview !== undefined && (
            <CoverageBadge catalogue={catalogue} coverage={coverageOfTotal(overview, catalogue)} />
          )}
        </p>
      )}
      {then !== undefined && (
        <p className="small quiet">
          {words.sizeThen(countText({ ...then, upper: then.upper ?? Infinity }, number, t), day(then.day))}
        </p>
      )}
      <div className="row">
        <Button className="bare" aria-label={t.labelled(words.openCohort, cohort.name)} onPress={onOpen}>
          {words.openCohort}
        </Button>
        <Button
          className="bare"
          aria-label={t.labelled(words.rename, cohort.name)}
          onPress={() => setRenaming(true)}
        >
          {words.rename}
        </Button>
        <Button className="bare" aria-label={t.labelled(t.removePart, cohort.name)} onPress={onRemove}>
          {t.removePart}
        </Button>
      </div>
    </li>
  );
};
