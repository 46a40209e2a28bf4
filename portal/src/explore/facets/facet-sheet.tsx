import { Button } from 'react-aria-components';
import { useLocale } from '../../i18n/locale.tsx';
import { useRecords } from '../../look/counted.ts';
import { countText } from '../../look/honest.ts';
import { Window } from '../../look/window.tsx';
import type { Exploration } from '../exploration.ts';
import { FacetPanel } from './facet-panel.tsx';

type FacetSheetProps = Exploration & { readonly paths: readonly string[]; readonly onClose: () => void };

/** On a phone: the facets over the whole page, with the number of records and a button that shows them. */
const FacetSheet = ({ onClose, ...exploration }: FacetSheetProps) => {
  const { t, number } = useLocale();
  const { catalogue, overview, isStale } = exploration;
  const records = useRecords(catalogue);
  const total = overview?.total ?? null;
  return (
    <Window title={t.facets} kind="sheet" onClose={onClose}>
      <FacetPanel {...exploration} />
      <div className={isStale ? 'sheet-foot stale' : 'sheet-foot'} aria-live="polite">
        <Button className="plain main" onPress={onClose}>
          {total === null
            ? t.showResults
            : t.showRecords(countText({ ...overview!, count: total }, number, t), records(total))}
        </Button>
      </div>
    </Window>
  );
};

export default FacetSheet;
