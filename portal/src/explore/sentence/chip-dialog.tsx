import type { ReactNode, RefObject } from 'react';
import { Dialog, Heading, Popover } from 'react-aria-components';

interface ChipDialogProps {
  readonly title: string;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog next to a chip of the sentence. */
export const ChipDialog = ({ title, trigger, onClose, children }: ChipDialogProps) => (
  <Popover
    className="popover"
    triggerRef={trigger}
    isOpen
    placement="bottom start"
    onOpenChange={(isOpen) => !isOpen && onClose()}
  >
    <Dialog className="dialog stack">
      <Heading slot="title" level={2}>
        {title}
      </Heading>
      {children}
    </Dialog>
  </Popover>
);
