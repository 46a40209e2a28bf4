import type { RefObject } from 'react';
import { Button } from 'react-aria-components';
import { isMembership } from '../../../../src/sqon/ast.ts';
import { isGroup, isSearch, type Filter } from '../../api/filter.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { negatedAt, togetherAt, withPart, type PlaceInFilter } from '../../state/tree.ts';
import type { View } from '../../state/view.ts';
import type { Exploration } from '../exploration.ts';
import { ChipDialog } from './chip-dialog.tsx';
import { RangeEditor } from './range-editor.tsx';
import { TextEditor } from './text-editor.tsx';
import { ValuesEditor } from './values-editor.tsx';

interface PartEditorProps extends Exploration {
  readonly filter: Filter;
  readonly place: PlaceInFilter;
  readonly title: string;
  /** The objects of which any may meet it; null: it has no such alternative. */
  readonly onSame: string | null;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

/** The editor of a chip: a condition's operator and values, and actions on a part of the sentence. */
const PartEditor = ({ filter, place, title, onSame, trigger, onClose, ...exploration }: PartEditorProps) => {
  const { t } = useLocale();
  const { view, change } = exploration;
  const become = (next: View): void => {
    onClose();
    change(next);
  };
  return (
    <ChipDialog
      title={t.edit(title.length > 80 ? `${title.slice(0, 80)}…` : title)}
      {...{ trigger, onClose }}
    >
      {!isGroup(filter) && (
        <ConditionEditor
          {...exploration}
          filter={filter}
          onApply={(next) => become(withPart(view, place, next))}
        />
      )}
      <div className="row">
        <Button className="plain" onPress={() => become(negatedAt(view, place))}>
          {t.negate}
        </Button>
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

interface ConditionEditorProps extends Exploration {
  readonly filter: Filter;
  readonly onApply: (next: Filter | null) => void;
}

const ConditionEditor = ({ filter, onApply, ...exploration }: ConditionEditorProps) => {
  if (isGroup(filter)) return null;
  if (isSearch(filter))
    return (
      <TextEditor
        text={filter.content.value}
        onApply={(value) => onApply({ ...filter, content: { ...filter.content, value } })}
      />
    );
  const { op, content } = filter;
  if (op === 'starts-with')
    return (
      <TextEditor
        text={[content.value].flat().join(', ')}
        onApply={(value) => onApply({ op, content: { ...content, value: [value] } })}
      />
    );
  if (isMembership(op)) return <ValuesEditor {...exploration} condition={filter} onApply={onApply} />;
  return <RangeEditor {...exploration} condition={filter} onApply={onApply} />;
};

export default PartEditor;
