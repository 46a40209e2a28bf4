import { lazy, Suspense } from 'react';
import { Button } from 'react-aria-components';
import { useLocale } from '../i18n/locale.tsx';
import { isGrowing } from '../api/answer.ts';
import { lackingNodes } from '../look/honest.ts';
import { withFilters } from '../state/edit.ts';
import type { Exploration } from './exploration.ts';
import { goneFrom } from './gone.ts';

const DidYouMean = lazy(() => import('../search/did-you-mean.tsx'));

/** Explains a zero: no institution has such a record, or only none of those that answered. */
export const NothingNote = (exploration: Exploration) => {
  const { catalogue, overview, isStale, view, change } = exploration;
  const { t, list } = useLocale();
  if (overview === null || isStale || isGrowing(overview) || overview.total !== 0 || overview.upper > 0)
    return null;
  const lacking = lackingNodes(overview);
  return (
    <div className="note">
      <p>
        <b>{t.nothingFound}</b>
      </p>
      {catalogue.source.kind === 'network' && (
        <p>
          {overview.partial
            ? t.nothingFoundPartial
            : lacking.length > 0
              ? t.nothingFoundLacking(list(lacking))
              : t.nothingFoundWhy}
        </p>
      )}
      {(view.filters ?? []).length > 0 && (
        <Suspense>
          <DidYouMean {...exploration} />
        </Suspense>
      )}
      {(view.filters ?? []).length > 0 && (
        <Button className="plain" onPress={() => change(withFilters(view, []))}>
          {t.clearFilter}
        </Button>
      )}
    </div>
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
