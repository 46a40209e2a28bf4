import type { RefObject } from 'react';
import { Button, Dialog, Heading, Popover } from 'react-aria-components';
import { useLocale } from '../../i18n/locale.tsx';

interface ObjectMenuProps {
  /** Of the objects. */
  readonly name: string;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onApart: () => void;
  readonly onClose: () => void;
}

/** Beside the chip of one object: what its conditions mean, and what else they can. */
const ObjectMenu = ({ name, trigger, onApart, onClose }: ObjectMenuProps) => {
  const { t } = useLocale();
  return (
    <Popover
      className="popover"
      triggerRef={trigger}
      isOpen
      placement="bottom start"
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Dialog className="dialog stack">
        <Heading slot="title" level={2}>
          {t.objectWith(name)}
        </Heading>
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
      </Dialog>
    </Popover>
  );
};

export default ObjectMenu;
