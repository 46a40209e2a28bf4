import type { ReactNode } from 'react';
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useLocale } from '../i18n/locale.tsx';
import { CloseIcon } from './icons.tsx';

interface WindowProps {
  readonly title: string;
  /** At the side of the page, at full height, or over the whole of it; unset: in its middle. */
  readonly kind?: 'drawer' | 'sheet';
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog over the page; Escape and a click outside close it. */
export const Window = ({ title, kind, onClose, children }: WindowProps) => {
  const { t } = useLocale();
  return (
    <ModalOverlay
      className={kind === undefined ? 'veil' : `veil ${kind}`}
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Modal>
        <Dialog className="dialog">
          <div className="row">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button
              className="bare"
              style={{ marginInlineStart: 'auto' }}
              aria-label={t.close}
              onPress={onClose}
            >
              <CloseIcon />
            </Button>
          </div>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
};
