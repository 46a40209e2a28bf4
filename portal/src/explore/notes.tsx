import { Button } from 'react-aria-components';
import { isGroup, isSearch, type Filter } from '../api/filter.ts';
import { useLocale } from '../i18n/locale.tsx';
import { withFilters } from '../state/edit.ts';
import type { Exploration } from './exploration.ts';

/** Zero is never just zero: no institution has such a record, or only none of those that answered. */
export const NothingNote = ({ overview, isStale, view, change }: Exploration) => {
  const { t } = useLocale();
  if (overview === null || isStale || overview.total !== 0 || overview.upper > 0) return null;
  return (
    <div className="note">
      <p>
        <b>{t.nothingFound}</b>
      </p>
      <p>{overview.partial ? t.nothingFoundPartial : t.nothingFoundWhy}</p>
      {(view.filters ?? []).length > 0 && (
        <Button className="plain" onPress={() => change(withFilters(view, []))}>
          {t.clearFilter}
        </Button>
      )}
    </div>
  );
};

/** A link of last month may name fields that are gone. */
export const GoneNote = ({ catalogue, view }: Exploration) => {
  const { t, list } = useLocale();
  const named = [
    ...(view.filters ?? []).flatMap(pathsOf),
    ...(view.charts ?? []).flatMap((name) => name.split(' × ')),
  ];
  const gone = [...new Set(named)].filter((path) => !catalogue.fields.has(path));
  return gone.length === 0 ? null : <p className="note warn">{t.goneFields(list(gone))}</p>;
};

const pathsOf = (filter: Filter): readonly string[] => {
  if (isGroup(filter)) return filter.content.flatMap(pathsOf);
  return isSearch(filter) ? filter.content.fieldNames : [filter.content.fieldName];
};
