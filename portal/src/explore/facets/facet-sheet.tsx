import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useLocale } from '../../i18n/locale.tsx';
import { useRecords } from '../../look/counted.ts';
import { countText } from '../../look/honest.ts';
import { CloseIcon } from '../../look/icons.tsx';
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
    <ModalOverlay className="veil" isOpen isDismissable onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="sheet">
        <Dialog>
          <div className="row">
            <Heading slot="title" level={2}>
              {t.facets}
            </Heading>
            <Button className="bare" aria-label={t.close} onPress={onClose}>
              <CloseIcon />
            </Button>
          </div>
          <FacetPanel {...exploration} />
          <div className={isStale ? 'sheet-foot stale' : 'sheet-foot'} aria-live="polite">
            <Button className="plain main" onPress={onClose}>
              {total === null
                ? t.showResults
                : t.showRecords(countText({ ...overview!, count: total }, number, t), records(total))}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
};

export default FacetSheet;
