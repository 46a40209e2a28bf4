import type { RefObject } from 'react';
import { Button } from 'react-aria-components';
import { useLocale } from '../../i18n/locale.tsx';
import { ChipDialog } from './chip-dialog.tsx';

interface ObjectMenuProps {
  /** The name of the objects. */
  readonly name: string;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onApart: () => void;
  readonly onClose: () => void;
}

/** The menu of one object's chip: the meaning of its conditions, and the alternative. */
const ObjectMenu = ({ name, trigger, onApart, onClose }: ObjectMenuProps) => {
  const { t } = useLocale();
  return (
    <ChipDialog title={t.objectWith(name)} {...{ trigger, onClose }}>
      <p className="small quiet">{t.onSameWhy}</p>
      <div className="row">
        <Button
          className="plain"
          onPress={() => {
            onClose();
            onApart();
          }}
        >
          {t.onAny(name)}
        </Button>
      </div>
    </ChipDialog>
  );
};

export default ObjectMenu;
