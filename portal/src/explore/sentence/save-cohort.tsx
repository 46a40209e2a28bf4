import { lazy } from 'react';
import { useLocale } from '../../i18n/locale.tsx';
import { CohortIcon } from '../../look/icons.tsx';
import type { Exploration } from '../exploration.ts';
import { Opening } from './opening.tsx';

const CohortDialog = lazy(() => import('./cohort-dialog.tsx'));

/** The button that saves the current filter as a cohort. */
export const SaveCohort = (exploration: Exploration) => {
  const { t } = useLocale();
  return (
    <Opening label={t.saveCohort} icon={<CohortIcon />} isMain={false}>
      {(close) => <CohortDialog {...exploration} onClose={close} />}
    </Opening>
  );
};
