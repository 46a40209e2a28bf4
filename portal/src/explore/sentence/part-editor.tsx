import { useEffect, useState, type ReactNode, type RefObject } from 'react';
import { Button, Dialog, Heading, Popover } from 'react-aria-components';
import { bareOf, positiveOps, type Filter } from '../../api/filter.ts';
import { fieldsOf } from '../../api/lack.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { choiceIn } from '../../state/chosen.ts';
import { negatedAt, togetherAt, withPart } from '../../state/edit.ts';
import type { View } from '../../state/view.ts';
import type { Exploration } from '../exploration.ts';
import { FacetOf } from '../facets/facet-panel.tsx';

interface ChipDialogProps {
  readonly title: string;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

/** A dialog next to a chip of the sentence. */
const ChipDialog = ({ title, trigger, onClose, children }: ChipDialogProps & { children: ReactNode }) => (
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

interface PartEditorProps extends Exploration, ChipDialogProps {
  /** The position of its part among those of the filter. */
  readonly at: number;
  /** The objects of which any may meet it; null: it has no such alternative. */
  readonly onSame: string | null;
}

/** The dialog of a chip: the facet of its field, and what can be done with a part of the sentence. */
const PartEditor = ({ at, title, onSame, trigger, onClose, ...exploration }: PartEditorProps) => {
  const { t } = useLocale();
  const { view, change, overview } = exploration;
  const path = facetOf(bareOf(view.filters![at]!));
  const [first] = useState(path);
  useEffect(() => {
    // its last value is gone, and the next part has taken its place
    if (path !== first) onClose();
  }, [path]);
  const become = (next: View): void => {
    onClose();
    change(next);
  };
  return (
    <ChipDialog
      title={t.edit(title.length > 80 ? `${title.slice(0, 80)}…` : title)}
      {...{ trigger, onClose }}
    >
      {path !== null && <FacetOf {...exploration} path={path} object={null} />}
      <div className="row">
        {(path === null || overview?.facets.get(path)?.kind !== 'values') && (
          <Button className="plain" onPress={() => become(negatedAt(view, at))}>
            {t.negate}
          </Button>
        )}
        {onSame !== null && (
          <Button className="plain" onPress={() => become(togetherAt(view, at))}>
            {t.onSame(onSame)}
          </Button>
        )}
        <Button className="plain" onPress={() => become(withPart(view, at, null))}>
          {t.removePart}
        </Button>
      </div>
    </ChipDialog>
  );
};

/** The field whose facet changes a part of the filter; null: none does, as for words and brackets. */
const facetOf = (filter: Filter): string | null => {
  const [path, ...others] = new Set(fieldsOf(filter));
  if (path === undefined || others.length > 0) return null;
  return choiceIn(filter, path) !== null || positiveOps.includes(filter.op) ? path : null;
};

interface ObjectMenuProps extends Omit<ChipDialogProps, 'title'> {
  /** The name of the objects. */
  readonly name: string;
  readonly onApart: () => void;
}

/** The menu of one object's chip: the meaning of its conditions, and the alternative. */
export const ObjectMenu = ({ name, onApart, ...dialog }: ObjectMenuProps) => {
  const { t } = useLocale();
  return (
    <ChipDialog title={t.objectWith(name)} {...dialog}>
      <p className="small quiet">{t.onSameWhy}</p>
      <div className="row">
        <Button
          className="plain"
          onPress={() => {
            dialog.onClose();
            onApart();
          }}
        >
          {t.onAny(name)}
        </Button>
      </div>
    </ChipDialog>
  );
};

export default PartEditor;
