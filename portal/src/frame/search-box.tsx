import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import type { Look, Source } from '../api/config.ts';
import { examplesKey } from '../api/queries.ts';
import { useCatalogue } from '../api/use-answers.ts';
import type { Catalogue } from '../api/catalogue.ts';
import type { Example } from '../api/examples.ts';
import { nestedAbove } from '../api/filter.ts';
import { useLocale } from '../i18n/locale.tsx';
import { valueText } from '../look/value-text.ts';
import { searchOf, withSearch } from '../state/edit.ts';
import { go } from '../state/navigation.ts';
import { usePlace } from '../state/use-place.ts';
import type { View } from '../state/view.ts';

const Suggestions = lazy(() => import('../search/suggestions.tsx'));

/** The fields that search words are looked for in: names, values and texts of the record itself. */
const searchedFields = ({ fields }: Catalogue): readonly string[] =>
  [...fields.values()]
    .filter(
      ({ path, kind, type }) =>
        (kind === 'values' || kind === 'text') &&
        type !== 'boolean' &&
        nestedAbove(path, fields).length === 0,
    )
    .map(({ path }) => path);

const suggestedFrom = 2;

interface SearchBoxProps {
  readonly source: Source;
  readonly look: Look;
  readonly isLarge?: boolean;
}

/** A text that becomes conditions of the filter as far as it means values and amounts; the rest is searched in words. */
export const SearchBox = ({ source, look, isLarge = false }: SearchBoxProps) => {
  const { t, language } = useLocale();
  const { page, view } = usePlace();
  const { data: catalogue } = useCatalogue(source, language);
  const searched = searchOf(view);
  const [text, setText] = useState(searched);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const choices = useRef<readonly View[]>([]);
  const list = useId();
  const examples = useExamples(source, catalogue);
  useEffect(() => setText(searched), [searched]);
  const names = catalogue === undefined ? [] : searchedFields(catalogue);
  const label = catalogue === undefined ? t.search : t.searchIn(names.length);
  const from = beginningOf(page === 'explore', view);
  const client = useQueryClient();
  const submit = async ({ value: typed }: HTMLInputElement): Promise<void> => {
    if (catalogue === undefined) return;
    const asWords = withSearch(from, names, typed.trim());
    try {
      const { viewOfText } = await import('../search/read-text.ts');
      choose(await viewOfText(client, { catalogue, from, names, look }, typed.trim()));
    } catch {
      choose(asWords);
    }
  };
  const choose = (next: View): void => {
    setOpen(false);
    setText(searchOf(next));
    go('explore', next);
  };
  const isShown = isOpen && catalogue !== undefined && text.trim().length >= suggestedFrom;
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const stops = choices.current.length + 1;
    const chosen = choices.current[active];
    if (step !== 0 && isShown) setActive(((active + 1 + step + stops) % stops) - 1);
    else if (step !== 0) setOpen(true);
    else if (event.key === 'Escape' && isOpen) setOpen(false);
    else if (event.key === 'Enter' && isShown && chosen !== undefined) choose(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <form
      role="search"
      className={isLarge ? 'row suggests' : 'search suggests'}
      onBlur={() => setOpen(false)}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget.querySelector('input')!);
      }}
    >
      <input
        className="field"
        type="search"
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={list}
        aria-activedescendant={isShown && active >= 0 ? `${list}-${active}` : undefined}
        value={text}
        // the header has no room for more
        placeholder={isLarge ? (examples ?? label) : t.search}
        aria-label={label}
        onKeyDown={onKey}
        onChange={(event) => {
          setText(event.target.value);
          setActive(-1);
          setOpen(true);
        }}
      />
      {isShown && (
        <Suspense>
          <Suggestions
            {...{ catalogue, from, names, look, text, active, list }}
            onChoices={(views) => (choices.current = views)}
            onChoose={choose}
          />
        </Suspense>
      )}
      {isLarge && <button className="plain main">{t.search}</button>}
    </form>
  );
};

const beginningOf = (isExplore: boolean, { record: _record, ...view }: View): View =>
  isExplore ? view : view.source === undefined ? {} : { source: view.source };

/** Three existing values, once the first numbers have arrived. */
const useExamples = ({ id }: Source, catalogue: Catalogue | undefined): string | null => {
  const { t } = useLocale();
  const { data } = useQuery<readonly Example[]>({ queryKey: examplesKey(id), queryFn: skipToken });
  if (catalogue === undefined || data === undefined || data.length < 2) return null;
  return t.forExample(
    data.map(({ path, bucket }) => valueText(bucket, catalogue.fields.get(path), t)).join(', '),
  );
};
