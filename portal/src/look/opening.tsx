import { Suspense, useState, type ReactNode } from 'react';
import { Button } from 'react-aria-components';

interface OpeningProps {
  readonly label: ReactNode;
  readonly icon?: ReactNode;
  readonly isMain?: boolean;
  readonly isDisabled?: boolean;
  readonly children: (close: () => void) => ReactNode;
}

/** A button and its dialog, which is loaded on first use. */
export const Opening = ({ label, icon, isMain = false, isDisabled = false, children }: OpeningProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        className={isMain ? 'plain main' : 'plain'}
        isDisabled={isDisabled}
        onPress={() => setOpen(true)}
      >
        {icon} {label}
      </Button>
      {isOpen && <Suspense>{children(() => setOpen(false))}</Suspense>}
    </>
  );
};
