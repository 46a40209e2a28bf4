import { useEffect, useState, type ReactNode, type RefObject } from 'react';
import { Button, Dialog, Heading, Popover } from 'react-aria-components';
import { isGroup, isSearch, type Filter } from '../../api/filter.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { negatedAt, togetherAt, withPart, type PlaceInFilter } from '../../state/tree.ts';
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
  readonly filter: Filter;
  readonly place: PlaceInFilter;
  /** The objects of which any may meet it; null: it has no such alternative. */
  readonly onSame: string | null;
}

/** The dialog of a chip: the facet of its field, and what can be done with a part of the sentence. */
const PartEditor = ({ filter, place, title, onSame, trigger, onClose, ...exploration }: PartEditorProps) => {
  const { t } = useLocale();
  const { view, change, overview } = exploration;
  const path = facetOf(filter, place, onSame !== null);
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
          <Button className="plain" onPress={() => become(negatedAt(view, place))}>
            {t.negate}
          </Button>
        )}
        {onSame !== null && (
          <Button className="plain" onPress={() => become(togetherAt(view, place))}>
            {t.onSame(onSame)}
          </Button>
        )}
        <Button className="plain" onPress={() => become(withPart(view, place, null))}>
          {t.removePart}
        </Button>
      </div>
    </ChipDialog>
  );
};

/** The operators that facets write. */
const facetOps: readonly string[] = ['in', 'is', 'not-in', 'under', 'gt', 'gte', 'lt', 'lte', 'between'];

/** The field whose facet changes a condition; null: none does, as for words and for parts of a group. */
const facetOf = (filter: Filter, place: PlaceInFilter, isOfAny: boolean): string | null => {
  const isOutermost = place.length === (isOfAny ? 2 : 1);
  if (!isOutermost || isGroup(filter) || isSearch(filter)) return null;
  return facetOps.includes(filter.op) ? filter.content.fieldName : null;
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
