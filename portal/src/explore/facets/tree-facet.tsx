import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { growing } from '../../api/queries.ts';
import type { Bucket } from '../../api/answer.ts';
import type { Question } from '../../api/questions.ts';
import { fetchLevel, findTerms, termQuery, type LevelTerm } from '../../api/terms.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { ArrowList } from '../../look/arrow-list.tsx';
import { FindField } from '../../look/find-field.tsx';
import { useRecords } from '../../look/counted.ts';
import { countText, drawnUpper } from '../../look/honest.ts';
import { CheckIcon, MinusIcon } from '../../look/icons.tsx';
import { Trouble } from '../../look/trouble.tsx';
import { usePlace } from '../../state/use-place.ts';
import {
  termsOf,
  tickOf,
  toggled,
  toggledOnly,
  withTerms,
  type Terms,
  type Ticked,
} from '../../state/terms.ts';
import { questionOf } from '../view-question.ts';
import type { FacetProps } from './facet-props.ts';

const firstShown = 12;
const foundShown = 30;
const chosenLookedUp = 40;

/** The terms of a hierarchy: open a level, select a branch or a single term, find one by its label or a synonym. */
const TreeFacet = (props: FacetProps) => {
  const { t } = useLocale();
  const { catalogue, field, edit } = props;
  const { view } = usePlace();
  const [text, setText] = useState('');
  const [open, setAllOpen] = useState<ReadonlySet<string>>(new Set());
  const question = useMemo(() => questionOf(view, catalogue), [view, catalogue]);
  const terms = termsOf(view, field.path);
  const aboveOf = useAbove(props, terms);
  const chosen = terms.under.length + terms.only.length;
  const setOpen = (id: string, isOpen: boolean): void => {
    const next = new Set(open);
    if (isOpen) next.add(id);
    else next.delete(id);
    setAllOpen(next);
  };
  const tree: Tree = { ...props, question, terms, aboveOf, open, setOpen, largest: 1 };
  return (
    <>
      <FindField
        label={t.findIn(field.name)}
        placeholder={t.findTerm}
        text={text}
        onText={setText}
        style={{ marginBlock: '8px 4px' }}
      />
      <ArrowList
        role="tree"
        aria-label={field.name}
        aria-multiselectable
        items="[role=treeitem]"
        onKeyDown={onTreeKey}
      >
        {text.trim() === '' ? (
          <LevelRows tree={tree} under={null} above={[]} />
        ) : (
          <FoundRows tree={tree} text={text.trim()} />
        )}
      </ArrowList>
      {chosen > 0 && (
        <div className="row">
          <Button
            className="bare"
            onPress={() =>
              edit((now) => {
                const before = termsOf(now, field.path);
                return withTerms(now, field.path, { ...before, isExcluded: !before.isExcluded });
              })
            }
          >
            {terms.isExcluded ? t.include : t.exclude}
          </Button>
        </div>
      )}
    </>
  );
};

/** The ancestors of the chosen terms, once they have been looked up. */
const useAbove = ({ catalogue, field }: FacetProps, { under, except, only }: Terms): Tree['aboveOf'] => {
  const ids = [...under, ...except, ...only].slice(0, chosenLookedUp);
  const found = useQueries({ queries: ids.map((id) => termQuery(catalogue, field, id)) });
  const above = new Map(
    found.flatMap(({ data }) => (data ? [[data.id, data.path.map(({ id }) => id)] as const] : [])),
  );
  return (chosen) => above.get(chosen) ?? [];
};

interface LevelRowsProps {
  readonly tree: Tree;
  readonly under: LevelTerm | null;
  readonly above: readonly string[];
}

/** The children of a term, open ones with their own; first the term itself, if documents have it. */
const LevelRows = ({ tree, under, above }: LevelRowsProps) => {
  const { t } = useLocale();
  const { catalogue, question, path, terms, aboveOf, open, setOpen, edit } = tree;
  const [max, setMax] = useState(firstShown);
  const id = under?.id ?? null;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['level', catalogue.source.id, path, question, id, max],
    queryFn: (context) => fetchLevel(catalogue, question, path, id, max, growing(context)),
    placeholderData: keepPreviousData,
  });
  const level = above.length + 1;
  if (error !== null) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Note level={level}>{t.loading}</Note>;
  const largest = level === 1 ? Math.max(1, ...data.terms.map(drawnUpper)) : tree.largest;
  const choose = (next: (before: Terms) => Terms): void =>
    edit((now) => withTerms(now, path, next(termsOf(now, path))));
  return (
    <>
      {under !== null && (under.own ?? 0) > 0 && (
        <TermRow
          {...{ tree, level, largest }}
          label={t.onlyTerm(under.label)}
          count={{ count: under.own ?? 0, upper: under.own ?? 0 }}
          ticked={
            terms.only.includes(under.id) || tickOf(terms, under.id, above.slice(0, -1), () => []) === 'all'
              ? 'all'
              : 'none'
          }
          isStale={isPlaceholderData}
          onToggle={() => choose((before) => toggledOnly(before, under.id))}
        />
      )}
      {data.terms.map((term) => {
        const isOpen = open.has(term.id);
        return [
          <TermRow
            key={term.id}
            {...{ tree, level, largest }}
            label={term.label}
            count={term}
            ticked={tickOf(terms, term.id, above, aboveOf)}
            isStale={isPlaceholderData}
            onToggle={() => choose((before) => toggled(before, term.id, above, aboveOf))}
            {...(term.hasChildren && { isOpen, onTwist: () => setOpen(term.id, !isOpen) })}
          />,
          isOpen && (
            <LevelRows
              key={`${term.id} below`}
              tree={{ ...tree, largest }}
              under={term}
              above={[...above, term.id]}
            />
          ),
        ];
      })}
      {data.terms.length === 0 && <Note level={level}>{t.zero.none}</Note>}
      {data.hasMore && (
        <div
          role="treeitem"
          className="bare"
          tabIndex={-1}
          aria-level={level}
          style={{ paddingInlineStart: level * indent }}
          onClick={({ currentTarget }) => {
            // this row may disappear: focus continues at the row before it
            if (currentTarget.previousElementSibling instanceof HTMLElement)
              currentTarget.previousElementSibling.focus();
            setMax(max + 50);
          }}
        >
          {t.moreTerms}
        </div>
      )}
    </>
  );
};

/** Terms that contain a text, each with its path. */
const FoundRows = ({ tree, text }: { readonly tree: Tree; readonly text: string }) => {
  const { t } = useLocale();
  const { catalogue, field, path, question, terms, aboveOf, edit } = tree;
  const wanted = useDeferredValue(text);
  const { data, error, refetch } = useQuery({
    queryKey: ['found terms', catalogue.source.id, path, question, wanted],
    queryFn: (context) => findTerms(catalogue, question, field, wanted, foundShown, growing(context)),
    placeholderData: keepPreviousData,
  });
  if (error !== null) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Note level={1}>{t.loading}</Note>;
  if (data.length === 0) return <Note level={1}>{t.noneMatches(text)}</Note>;
  const largest = Math.max(1, ...data.map(({ count }) => drawnUpper(count)));
  return data.map(({ id, label, synonyms, path: places, count }) => {
    const above = places.map((place) => place.id);
    return (
      <TermRow
        key={id}
        {...{ tree, largest, count, label }}
        level={1}
        where={[...places.map((place) => place.label), ...synonyms.map(t.quoted)].join(' › ')}
        ticked={tickOf(terms, id, above, aboveOf)}
        onToggle={() => edit((now) => withTerms(now, path, toggled(termsOf(now, path), id, above, aboveOf)))}
      />
    );
  });
};

/** The properties shared by all rows of a tree. */
interface Tree extends FacetProps {
  readonly question: Question;
  readonly terms: Terms;
  readonly aboveOf: (chosen: string) => readonly string[];
  readonly open: ReadonlySet<string>;
  readonly setOpen: (id: string, isOpen: boolean) => void;
  /** The upper bound of the longest bar. */
  readonly largest: number;
}

/** Inside a tree only items are allowed. */
const Note = ({ level, children }: { readonly level: number; readonly children: string }) => (
  <div role="treeitem" aria-disabled aria-level={level} tabIndex={-1} className="quiet small">
    {children}
  </div>
);

/** The indent of a level, in pixels. */
const indent = 16;

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
const TermRow = (props: TermRowProps) => {
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
const onTreeKey = (event: KeyboardEvent<HTMLDivElement>): void => {
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

export default TreeFacet;
