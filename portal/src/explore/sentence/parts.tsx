import { lazy, Suspense, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import {
  bareOf,
  isGroup,
  isSearch,
  linkedParts,
  type Filter,
  type Linked,
  type Part as LinkedPart,
} from '../../api/filter.ts';
import { objectName } from '../../api/nouns.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { apartAt, isOfAnyAt, withOtherJoinAt, withPart, type PlaceInFilter } from '../../state/tree.ts';
import type { Exploration } from '../exploration.ts';
import { describeFilter, textOf } from './describe-filter.ts';
import { useTermsOf } from './use-terms.ts';
import { CloseIcon } from '../../look/icons.tsx';

const PartEditor = lazy(() => import('./part-editor.tsx'));
const ObjectMenu = lazy(async () => ({ default: (await import('./part-editor.tsx')).ObjectMenu }));

interface PartsProps extends Exploration {
  readonly filters: readonly Filter[];
  readonly join: 'and' | 'or';
  /** The parts are negated: none of them, or no object that meets all. */
  readonly isNot?: boolean;
  /** The group that contains them; []: the whole filter. */
  readonly within: PlaceInFilter;
  /** The nested list whose objects the preceding words are about. */
  readonly pivot?: string | undefined;
}

/** Conditions as chips with words between them; those on one object in one chip, groups in brackets. */
export const Parts = (props: PartsProps) => {
  const { filters, join, isNot = false, pivot, catalogue } = props;
  const isLinked = join === 'and' && !isNot && pivot === undefined;
  const parts = isLinked ? linkedParts(filters, catalogue.fields) : [...filters.keys()];
  return <Joined {...props} parts={parts} />;
};

/** @param isOfObject whether they are in the chip of one object: their "and" is fixed */
const Joined = ({
  parts,
  isOfObject = false,
  ...props
}: PartsProps & { readonly parts: readonly LinkedPart[]; readonly isOfObject?: boolean }) => {
  const { t } = useLocale();
  const { filters, join, isNot = false, within, pivot, ...exploration } = props;
  const { view, change } = exploration;
  return (
    <ul>
      {parts.map((part, at) => (
        <li key={keyOf(filters, part, at)} className="row">
          {at > 0 &&
            (isOfObject || isNot ? (
              <span className="word">{t[isOfObject ? 'and' : join]}</span>
            ) : (
              <Button
                className="bare"
                aria-label={`${t[join]}: ${t.switchJoin(t[join === 'and' ? 'or' : 'and'])}`}
                onPress={() => change(withOtherJoinAt(view, within))}
              >
                {t[join]}
              </Button>
            ))}
          {typeof part === 'number' ? (
            <Part {...exploration} filter={filters[part]!} place={[...within, part]} pivot={pivot} />
          ) : (
            <OneObject {...props} linked={part} />
          )}
        </li>
      ))}
    </ul>
  );
};

/** A dialog stays open as long as its part is about the same field. */
const keyOf = (filters: readonly Filter[], part: LinkedPart, at: number): string => {
  const { content } = typeof part === 'number' ? bareOf(filters[part]!) : { content: null };
  return content !== null && 'fieldName' in content ? `${at} ${content.fieldName}` : String(at);
};

/** Conditions that a single object must meet, as one chip: its first word opens the choice to let any object meet them. */
const OneObject = ({ linked, ...props }: PartsProps & { readonly linked: Linked }) => {
  const { t } = useLocale();
  const { catalogue, view, change, within } = props;
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const name = objectName(linked.pivot, catalogue);
  return (
    <span className="chip object" role="group" aria-label={t.objectWith(name)}>
      <Button
        ref={trigger}
        className="bare"
        aria-label={t.edit(t.objectWith(name))}
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
      >
        {t.objectWith(name)}
      </Button>
      <Joined {...props} parts={linked.parts} pivot={linked.pivot} isOfObject />
      {isOpen && (
        <Suspense>
          <ObjectMenu
            {...{ name, trigger }}
            onApart={() => change(apartAt(view, within, linked))}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </span>
  );
};

interface PartProps extends Exploration {
  readonly filter: Filter;
  readonly place: PlaceInFilter;
  readonly pivot?: string | undefined;
}

const Part = ({ filter, place, ...exploration }: PartProps) => {
  const { t } = useLocale();
  if (!isGroup(filter)) return <Chip {...exploration} filter={filter} place={place} />;
  const [only] = filter.content;
  // any object may meet it: users see and change the condition itself
  if (bareOf(filter) !== filter && only !== undefined)
    return <Part {...exploration} filter={only} place={[...place, 0]} pivot={filter.pivot} />;
  const isNot = filter.op === 'not';
  const object = filter.pivot && objectName(filter.pivot, exploration.catalogue);
  return (
    <span className="group" role="group" aria-label={t.group}>
      <Chip
        {...exploration}
        filter={filter}
        place={place}
        word={isNot ? t.not : object === undefined ? '(' : `${t.objectWith(object)} (`}
      />
      <Parts
        {...exploration}
        filters={filter.content}
        join={filter.op === 'or' || (isNot && filter.pivot === undefined) ? 'or' : 'and'}
        isNot={isNot}
        within={place}
        pivot={filter.pivot}
      />
      {!isNot && <span aria-hidden>)</span>}
    </span>
  );
};

/** A condition, or the first word of a group: opens its editor. @param word replaces its own words */
const Chip = ({ filter, place, word, pivot, ...exploration }: PartProps & { readonly word?: string }) => {
  const locale = useLocale();
  const { t } = locale;
  const { view, change, catalogue } = exploration;
  const termOf = useTermsOf([filter], catalogue);
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const about = pivot === undefined ? null : objectName(pivot, catalogue);
  const described = describeFilter(filter, catalogue, { ...locale, termOf }, about);
  const { subject, verb, object } = described;
  const isOfAny = about !== null && isOfAnyAt(view, place);
  const fields = isSearch(filter) ? t.searchedIn(filter.content.fieldNames.length) : '';
  const whole = `${textOf(described)}${fields && ` ${fields}`}${isOfAny ? ` (${t.onAny(about)})` : ''}`;
  return (
    <span className={word === undefined ? 'chip' : 'chip bracket'}>
      <Button
        ref={trigger}
        className="bare"
        aria-label={t.edit(whole)}
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
      >
        {word ?? (
          <span>
            <i>
              {subject} {verb}
            </i>{' '}
            <bdi>{object}</bdi>
            {fields !== '' && <i> {fields}</i>}
            {isOfAny && <i> {t.onAny(about)}</i>}
          </span>
        )}
      </Button>
      {word === undefined && (
        <Button
          className="bare"
          aria-label={t.remove(whole)}
          onPress={() => change(withPart(view, place, null))}
        >
          <CloseIcon />
        </Button>
      )}
      {isOpen && (
        <Suspense>
          <PartEditor
            {...exploration}
            {...{ filter, place, trigger }}
            onSame={isOfAny ? about : null}
            title={whole}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </span>
  );
};
