import { lazy, Suspense, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import {
  bareOf,
  isGroup,
  isSearch,
  linkedParts,
  type Filter,
  type Linked,
  type Part,
} from '../../api/filter.ts';
import { objectName } from '../../api/nouns.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { CloseIcon } from '../../look/icons.tsx';
import { withApart, withOtherJoin, withPart } from '../../state/edit.ts';
import type { Exploration } from '../exploration.ts';
import { describeFilter, textOf } from './describe-filter.ts';
import { useTermsOf } from './use-terms.ts';

const PartEditor = lazy(() => import('./part-editor.tsx'));
const ObjectMenu = lazy(async () => ({ default: (await import('./part-editor.tsx')).ObjectMenu }));

/** The parts of the filter as chips with words between them; conditions on one object are in one chip. */
export const Parts = (exploration: Exploration) => {
  const { view, catalogue } = exploration;
  const { filters = [], join } = view;
  const parts = join === 'or' ? [...filters.keys()] : linkedParts(filters, catalogue.fields);
  return <Joined {...exploration} parts={parts} />;
};

interface JoinedProps extends Exploration {
  readonly parts: readonly Part[];
  /** The nested list of the object that they are in the chip of: their "and" is fixed. */
  readonly pivot?: string;
}

const Joined = ({ parts, pivot, ...exploration }: JoinedProps) => {
  const { t } = useLocale();
  const { view, change } = exploration;
  const { join = 'and', filters = [] } = view;
  return (
    <ul>
      {parts.map((part, at) => (
        <li key={keyOf(filters, part, at)} className="row">
          {at > 0 &&
            (pivot !== undefined ? (
              <span className="word">{t.and}</span>
            ) : (
              <Button
                className="bare"
                aria-label={`${t[join]}: ${t.switchJoin(t[join === 'and' ? 'or' : 'and'])}`}
                onPress={() => change(withOtherJoin(view))}
              >
                {t[join]}
              </Button>
            ))}
          {typeof part === 'number' ? (
            <Chip {...exploration} at={part} {...(pivot !== undefined && { pivot })} />
          ) : (
            <OneObject {...exploration} linked={part} />
          )}
        </li>
      ))}
    </ul>
  );
};

/** A dialog stays open as long as its part is about the same field. */
const keyOf = (filters: readonly Filter[], part: Part, at: number): string => {
  const { content } = typeof part === 'number' ? bareOf(filters[part]!) : { content: null };
  return content !== null && 'fieldName' in content ? `${at} ${content.fieldName}` : String(at);
};

/** Conditions that a single object must meet, as one chip: its first word opens the choice to let any object meet them. */
const OneObject = ({ linked, ...exploration }: Exploration & { readonly linked: Linked }) => {
  const { t } = useLocale();
  const { catalogue, view, change } = exploration;
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
      <Joined {...exploration} {...linked} />
      {isOpen && (
        <Suspense>
          <ObjectMenu
            {...{ name, trigger }}
            onApart={() => change(withApart(view, linked))}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </span>
  );
};

interface ChipProps extends Exploration {
  /** The position of its part among those of the filter. */
  readonly at: number;
  readonly pivot?: string;
}

/** A part of the filter: opens its editor. Brackets are one part, in words. */
const Chip = ({ at, pivot, ...exploration }: ChipProps) => {
  const locale = useLocale();
  const { t } = locale;
  const { view, change, catalogue } = exploration;
  const part = view.filters![at]!;
  const filter = bareOf(part);
  const termOf = useTermsOf([filter], catalogue);
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  // any object may meet it: users see and change the condition itself
  const ofAny = filter !== part && isGroup(part) ? part.pivot : undefined;
  const list = pivot ?? ofAny;
  const about = list === undefined ? null : objectName(list, catalogue);
  const described = describeFilter(filter, catalogue, { ...locale, termOf }, about);
  const { subject, verb, object } = described;
  const fields = isSearch(filter) ? t.searchedIn(filter.content.fieldNames.length) : '';
  const onAny = ofAny === undefined ? '' : t.onAny(about!);
  const whole = `${textOf(described)}${fields && ` ${fields}`}${onAny && ` (${onAny})`}`;
  return (
    <span className="chip">
      <Button
        ref={trigger}
        className="bare"
        aria-label={t.edit(whole)}
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
      >
        <span>
          <i>
            {subject} {verb}
          </i>{' '}
          <bdi>{object}</bdi>
          {fields !== '' && <i> {fields}</i>}
          {onAny !== '' && <i> {onAny}</i>}
        </span>
      </Button>
      <Button className="bare" aria-label={t.remove(whole)} onPress={() => change(withPart(view, at, null))}>
        <CloseIcon />
      </Button>
      {isOpen && (
        <Suspense>
          <PartEditor
            {...exploration}
            {...{ at, trigger }}
            onSame={ofAny === undefined ? null : about}
            title={whole}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </span>
  );
};
