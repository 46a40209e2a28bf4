import type { RefObject } from 'react';
import { Button } from 'react-aria-components';
import { useLocale } from '../../i18n/locale.tsx';
import { ChipDialog } from './chip-dialog.tsx';

interface ObjectMenuProps {
  /** What the objects are called. */
  readonly name: string;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onApart: () => void;
  readonly onClose: () => void;
}

/** Beside the chip of one object: what its conditions mean, and what else they can. */
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
