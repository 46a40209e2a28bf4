import { useEffect, useState } from 'react';
import type { Source } from '../api/config.ts';
import { useCatalogue } from '../api/use-answers.ts';
import type { Catalogue } from '../api/catalogue.ts';
import { useLocale } from '../i18n/locale.tsx';
import { searchOf, withSearch } from '../state/edit.ts';
import { go } from '../state/navigation.ts';
import { usePlace } from '../state/use-place.ts';

/** What the words of the search box are looked for in: names, values and texts of the record itself. */
const searchedFields = ({ fields }: Catalogue): readonly string[] =>
  [...fields.values()]
    .filter(
      ({ path, kind, type }) =>
        (kind === 'values' || kind === 'text') && type !== 'boolean' && !isNested(path, fields),
    )
    .map(({ path }) => path);

const isNested = (path: string, fields: Catalogue['fields']): boolean =>
  path.split('.').some((_, at, parts) => fields.get(parts.slice(0, at).join('.'))?.kind === 'nested');

/** Words that become a condition of the filter. */
export const SearchBox = ({
  source,
  isLarge = false,
}: {
  readonly source: Source;
  readonly isLarge?: boolean;
}) => {
  const { t, language } = useLocale();
  const { page, view } = usePlace();
  const { data: catalogue } = useCatalogue(source, language);
  const searched = searchOf(view);
  const [text, setText] = useState(searched);
  useEffect(() => setText(searched), [searched]);
  const names = catalogue === undefined ? [] : searchedFields(catalogue);
  const label = catalogue === undefined ? t.search : t.searchIn(names.length);
  return (
    <form
      role="search"
      className={isLarge ? 'row' : 'search'}
      onSubmit={(event) => {
        event.preventDefault();
        if (catalogue === undefined) return;
        const { record: _record, ...from } =
          page === 'explore'
            ? view
            : ({ ...(view.source === undefined ? {} : { source: view.source }) } as typeof view);
        go('explore', withSearch(from, names, text.trim()));
      }}
    >
      <input
        className="field"
        type="search"
        value={text}
        placeholder={label}
        aria-label={label}
        onChange={(event) => setText(event.target.value)}
      />
      {isLarge && <button className="plain main">{t.search}</button>}
    </form>
  );
};
