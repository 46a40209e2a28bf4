import { lazy, Suspense, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Catalogue, Column } from '../../api/catalogue.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { ColumnsIcon } from '../../look/icons.tsx';

const ColumnWindow = lazy(() => import('./column-window.tsx'));

interface ColumnChoiceProps {
  readonly catalogue: Catalogue;
  readonly columns: readonly Column[];
  readonly onChange: (paths: readonly string[]) => void;
}

/** The button for choosing columns. */
export const ColumnChoice = (props: ColumnChoiceProps) => {
  const { t } = useLocale();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button className="plain" onPress={() => setOpen(true)}>
        <ColumnsIcon /> {t.columns}
      </Button>
      {isOpen && (
        <Suspense>
          <ColumnWindow {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};
