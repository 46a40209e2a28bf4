import { useState } from 'react';
import { Button } from 'react-aria-components';
import { Window } from '../../look/window.tsx';
import { changeKept, sizeNow, withSaved } from '../../cohorts/kept.ts';
import { filterOf } from '../../state/view.ts';
import type { Exploration } from '../exploration.ts';
import { describeFilter } from './describe-filter.ts';
import { useWords } from './use-terms.ts';

/** Saves the current filter under a name in this browser; overwrites an existing cohort of that name. */
const CohortDialog = ({
  view,
  catalogue,
  overview,
  isStale,
  onClose,
}: Exploration & { readonly onClose: () => void }) => {
  const words = useWords(view.filters ?? [], catalogue);
  const { t } = words;
  const proposed = (view.filters ?? [])
    .map((filter) => describeFilter(filter, catalogue, words).object)
    .join(', ');
  const [name, setName] = useState((proposed || t.everyone).slice(0, 60));
  const save = (): void => {
    const then = isStale ? null : overview && sizeNow(overview);
    changeKept((kept) =>
      withSaved(kept, {
        name: name.trim(),
        source: catalogue.source.id,
        filter: filterOf(view),
        ...(then && { then }),
      }),
    );
    onClose();
  };
  return (
    <Window title={t.saveCohort} onClose={onClose}>
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
            onFocus={(event) => event.target.select()}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <div className="row">
          <Button className="plain main" type="submit">
            {t.saveCohort}
          </Button>
        </div>
      </form>
    </Window>
  );
};

export default CohortDialog;
