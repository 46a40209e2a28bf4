import { lazy, Suspense } from 'react';
import { useLocale } from '../i18n/locale.tsx';
import { isGrowing } from '../api/answer.ts';
import type { Exploration } from './exploration.ts';
import { goneFrom } from './gone.ts';

const Nothing = lazy(() => import('../search/nothing.tsx'));

/** Explains a zero: no institution has such a record, or only none of those that answered. */
export const NothingNote = (exploration: Exploration) => {
  const { overview, isStale } = exploration;
  if (overview === null || isStale || isGrowing(overview) || overview.total !== 0 || overview.upper > 0)
    return null;
  return (
    <Suspense>
      <Nothing {...{ ...exploration, overview }} />
    </Suspense>
  );
};

/** Lists what an old link names that no longer exists. */
export const GoneNote = ({ catalogue, view }: Pick<Exploration, 'catalogue' | 'view'>) => {
  const { t, list } = useLocale();
  const { fields, nodes } = goneFrom(view, catalogue);
  return (
    <>
      {view.dropped !== undefined && <p className="note warn">{t.droppedNames(list(view.dropped))}</p>}
      {fields.length > 0 && <p className="note warn">{t.goneFields(list(fields))}</p>}
      {nodes.length > 0 && <p className="note warn">{t.goneNodes(list(nodes))}</p>}
    </>
  );
};
