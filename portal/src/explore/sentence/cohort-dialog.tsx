import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useLocale } from '../../i18n/locale.tsx';
import { Window } from '../../look/window.tsx';
import { filterOf } from '../../state/view.ts';
import type { Exploration } from '../exploration.ts';
import { describeFilter } from './describe-filter.ts';

const maxCohorts = 4;

/** Keeps the filter of the moment under a name, in the link, to be compared with others. */
const CohortDialog = ({
  view,
  catalogue,
  change,
  onClose,
}: Exploration & { readonly onClose: () => void }) => {
  const locale = useLocale();
  const { t } = locale;
  const cohorts = view.cohorts ?? [];
  const proposed = (view.filters ?? [])
    .map((filter) => describeFilter(filter, catalogue, locale).object)
    .join(', ');
  const [name, setName] = useState((proposed || t.everyone).slice(0, 60));
  const save = (): void => {
    change({ ...view, cohorts: [...cohorts, { name, filter: filterOf(view) }] });
    onClose();
  };
  return (
    <Window title={t.saveCohort} onClose={onClose}>
      {cohorts.length >= maxCohorts ? (
        <p>{t.tooManyCohorts}</p>
      ) : (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== '') save();
          }}
        >
          <label>
            {t.cohortName}
            <input
              className="field"
              autoFocus
              value={name}
              maxLength={60}
              onChange={(event) => setName(event.target.value)}
            />
          </label>
          <div className="row">
            <Button className="plain main" type="submit">
              {t.saveCohort}
            </Button>
          </div>
        </form>
      )}
    </Window>
  );
};

export default CohortDialog;
