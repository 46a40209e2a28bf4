import type { RefObject } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';
import { CheckIcon } from '../look/icons.tsx';

/** An entry of a menu. */
export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly isOn?: boolean;
  readonly isDisabled?: boolean;
  readonly act: () => void;
}

interface ChartMenuProps {
  readonly label: string;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly entries: readonly MenuEntry[];
  readonly onClose: () => void;
}

/** The menu of a chart; its code is loaded when it is first opened. */
const ChartMenu = ({ label, trigger, entries, onClose }: ChartMenuProps) => (
  <Popover
    className="popover"
    aria-label={label}
    placement="bottom end"
    triggerRef={trigger}
    isOpen
    onOpenChange={(isOpen) => !isOpen && onClose()}
  >
    <Menu aria-label={label} autoFocus="first">
      {entries.map(({ id, label: text, isOn = false, isDisabled = false, act }) => (
        <MenuItem
          key={id}
          id={id}
          isDisabled={isDisabled}
          onAction={() => {
            onClose();
            act();
          }}
        >
          {isOn && <CheckIcon />} {text}
        </MenuItem>
      ))}
    </Menu>
  </Popover>
);

export default ChartMenu;
