import { lazy, Suspense, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { isGroup, type Filter } from '../../api/filter.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { withOtherJoinAt, withPart, type PlaceInFilter } from '../../state/tree.ts';
import type { Exploration } from '../exploration.ts';
import { describeFilter } from './describe-filter.ts';
import { CloseIcon } from '../../look/icons.tsx';

const PartEditor = lazy(() => import('./part-editor.tsx'));

interface PartsProps extends Exploration {
  readonly filters: readonly Filter[];
  readonly join: 'and' | 'or';
  /** The group that they stand in; []: the whole filter. */
  readonly within: PlaceInFilter;
}

/** Conditions as chips with the words between them; groups in brackets, as deep as they go. */
export const Parts = ({ filters, join, within, ...exploration }: PartsProps) => {
  const { t } = useLocale();
  const { view, change } = exploration;
  return (
    <ul>
      {filters.map((filter, at) => (
        <li key={at} className="row">
          {at > 0 && (
            <Button
              className="bare"
              aria-label={`${t[join]}: ${t.switchJoin(t[join === 'and' ? 'or' : 'and'])}`}
              onPress={() => change(withOtherJoinAt(view, within))}
            >
              {t[join]}
            </Button>
          )}
          <Part {...exploration} filter={filter} place={[...within, at]} />
        </li>
      ))}
    </ul>
  );
};

interface PartProps extends Exploration {
  readonly filter: Filter;
  readonly place: PlaceInFilter;
}

const Part = ({ filter, place, ...exploration }: PartProps) => {
  const { t } = useLocale();
  if (!isGroup(filter)) return <Chip {...exploration} filter={filter} place={place} />;
  const isNot = filter.op === 'not';
  return (
    <span className="group" role="group" aria-label={t.group}>
      <Chip {...exploration} filter={filter} place={place} word={isNot ? t.not : '('} />
      <Parts
        {...exploration}
        filters={filter.content}
        join={filter.op === 'or' ? 'or' : 'and'}
        within={place}
      />
      {!isNot && <span aria-hidden>)</span>}
    </span>
  );
};

/** A condition, or the beginning of a group: opens what changes it. @param word instead of its own words */
const Chip = ({ filter, place, word, ...exploration }: PartProps & { readonly word?: string }) => {
  const locale = useLocale();
  const { t } = locale;
  const { view, change, catalogue } = exploration;
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const { subject, verb, object } = describeFilter(filter, catalogue, locale);
  const whole = [subject, verb, object].filter((part) => part !== '').join(' ');
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
            {object}
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
            title={whole}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </span>
  );
};
