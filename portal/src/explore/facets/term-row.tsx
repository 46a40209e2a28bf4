import type { KeyboardEvent, ReactNode } from 'react';
import type { Bucket } from '../../api/answer.ts';
import type { Question } from '../../api/questions.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useRecords } from '../../look/counted.ts';
import { countText } from '../../look/honest.ts';
import { CheckIcon, MinusIcon } from '../../look/icons.tsx';
import type { Terms, Ticked } from '../../state/terms.ts';
import type { FacetProps } from './facet-props.ts';

/** The properties shared by all rows of a tree. */
export interface Tree extends FacetProps {
  readonly question: Question;
  readonly terms: Terms;
  readonly aboveOf: (chosen: string) => readonly string[];
  readonly open: ReadonlySet<string>;
  readonly setOpen: (id: string, isOpen: boolean) => void;
  /** The upper bound of the longest bar. */
  readonly largest: number;
}

/** Inside a tree only items are allowed. */
export const Note = ({ level, children }: { readonly level: number; readonly children: string }) => (
  <div role="treeitem" aria-disabled aria-level={level} tabIndex={-1} className="quiet small">
    {children}
  </div>
);

/** The indent of a level, in pixels. */
export const indent = 16;

interface TermRowProps {
  readonly tree: Tree;
  readonly level: number;
  readonly label: string;
  /** Its path and other names. */
  readonly where?: string;
  readonly count: Pick<Bucket, 'count' | 'upper'>;
  readonly largest: number;
  readonly ticked: Ticked;
  readonly isStale?: boolean;
  /** Unset: it has no children. */
  readonly isOpen?: boolean;
  readonly onTwist?: () => void;
  readonly onToggle: () => void;
}

const marks: Readonly<Record<Ticked, ReactNode>> = { all: <CheckIcon />, some: <MinusIcon />, none: null };

/** A term with a checkbox, its count, its bar, and a button that opens its children. */
export const TermRow = (props: TermRowProps) => {
  const { t, number } = useLocale();
  const {
    tree,
    level,
    label,
    where,
    count,
    largest,
    ticked,
    isStale = false,
    isOpen,
    onTwist,
    onToggle,
  } = props;
  const records = useRecords(tree.catalogue);
  return (
    <div
      role="treeitem"
      className={isStale ? 'value term stale' : 'value term'}
      tabIndex={-1}
      aria-level={level}
      aria-checked={ticked === 'some' ? 'mixed' : ticked === 'all'}
      aria-expanded={isOpen}
      style={{ paddingInlineStart: (level - 1) * indent }}
      onClick={onToggle}
    >
      <span
        className={isOpen === undefined ? 'twist leaf' : 'twist'}
        aria-hidden
        onClick={(event) => {
          if (onTwist === undefined) return;
          event.stopPropagation();
          onTwist();
        }}
      >
        {isOpen === undefined ? '' : isOpen ? '▾' : '▸'}
      </span>
      <span className={ticked === 'none' ? 'box' : 'box on'} aria-hidden>
        {marks[ticked]}
      </span>
      <span className="text">
        <bdi>{tree.terms.isExcluded && ticked !== 'none' ? `${t.not} ${label}` : label}</bdi>
        {where !== undefined && <small className="where">{where}</small>}
      </span>
      <em title={`${countText(count, number, t)} ${records(count.count)}`}>
        <bdi>{countText(count, number, t)}</bdi>
      </em>
      <span className="bar" aria-hidden>
        <span style={{ width: `${(100 * count.count) / largest}%` }} />
      </span>
    </div>
  );
};

/** As in trees, the right key opens or enters, the left key closes or leaves; the mouse uses the same elements. */
export const onTreeKey = (event: KeyboardEvent<HTMLDivElement>): void => {
  const item = event.target as HTMLElement;
  const isOpen = item.getAttribute('aria-expanded');
  const isForward = event.key === (document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight');
  const isBack =
    event.key.startsWith('Arrow') && !isForward && event.key !== 'ArrowDown' && event.key !== 'ArrowUp';
  if (event.key === ' ' || event.key === 'Enter') item.click();
  else if ((isForward && isOpen === 'false') || (isBack && isOpen === 'true'))
    item.querySelector<HTMLElement>('.twist')?.click();
  else if (isForward && isOpen === 'true') neighbour(item, 1)?.focus();
  else if (isBack) parentOf(item)?.focus();
  else return;
  event.preventDefault();
};

const levelOf = (item: Element): number => Number(item.getAttribute('aria-level'));

const neighbour = (item: Element, step: number): HTMLElement | undefined => {
  const items = [...item.closest('[role=tree]')!.querySelectorAll<HTMLElement>('[role=treeitem]')];
  return items[items.indexOf(item as HTMLElement) + step];
};

const parentOf = (item: Element): HTMLElement | undefined => {
  let before = neighbour(item, -1);
  while (before !== undefined && levelOf(before) >= levelOf(item)) before = neighbour(before, -1);
  return before;
};
