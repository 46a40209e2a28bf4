import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { PortalConfig, Source } from '../api/config.ts';
import { catalogueQuery } from '../api/queries.ts';
import { keptIn } from '../explore/gone.ts';
import { portalLanguages } from '../../../src/lib/text/portal-languages.ts';
import type { Language } from '../i18n/language.ts';
import { useLocale } from '../i18n/locale.tsx';
import { chooseTheme, currentTheme, themes, type Theme } from '../look/theme.ts';
import { currentPlace, go } from '../state/navigation.ts';
import { usePlace } from '../state/use-place.ts';

/** Native selects: the first load of the page stays small, and every keyboard and screen reader supports them. */
interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
  /** For long options, which are cut if space is short. */
  readonly title?: string;
  readonly className?: string;
}

/** A labelled choice of one of several options, each a value and its text. */
export const Choice = <Value extends string>({
  label,
  value,
  options,
  onChange,
  title,
  className = 'select',
}: ChoiceProps<Value>) => (
  <select
    {...{ className, title }}
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.target.value as Value)}
  >
    {options.map(([key, text]) => (
      <option key={key} value={key}>
        {text}
      </option>
    ))}
  </select>
);

/** The choice of the page's language. */
export const LanguageChoice = () => {
  const { t, language, setLanguage } = useLocale();
  const options = Object.entries(portalLanguages) as [Language, string][];
  return <Choice label={t.language} value={language} options={options} onChange={setLanguage} />;
};

/** The choice between light, dark and the system theme. */
export const ThemeChoice = () => {
  const { t } = useLocale();
  const [theme, setTheme] = useState<Theme>(currentTheme);
  const change = (next: Theme): void => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <Choice
      label={t.theme}
      value={theme}
      options={themes.map((name) => [name, t.labelled(t.theme, t.themes[name])])}
      onChange={change}
    />
  );
};

/** The choice of a network or catalogue: the filter is kept as far as the new source has its fields; those it lacks are named. */
export const SourceChoice = ({
  config,
  source,
}: {
  readonly config: PortalConfig;
  readonly source: Source;
}) => {
  const { t, pick } = useLocale();
  const { page, view } = usePlace();
  const client = useQueryClient();
  const wanted = useRef<string>(null);
  const change = async (id: string): Promise<void> => {
    wanted.current = id;
    const [next, former] = [config.sources.find((each) => each.id === id), source];
    const catalogue = next && (await client.fetchQuery(catalogueQuery(next)).catch(() => undefined));
    // the filter may have changed since
    const now = currentPlace();
    const kept =
      catalogue === undefined
        ? {}
        : keptIn(now.view, client.getQueryData(catalogueQuery(former).queryKey), catalogue);
    // another source or page was chosen since
    if (wanted.current !== id || now.page !== page || now.view.source !== view.source) return;
    go(page === 'record' ? 'explore' : page, { ...kept, source: id });
  };
  const options = config.sources.map(
    ({ id, name }, at) =>
      [id, at === 0 && config.look.name !== undefined ? pick(config.look.name) : name] as const,
  );
  return (
    <Choice
      className="select long"
      label={t.source}
      title={options.find(([id]) => id === source.id)?.[1] ?? ''}
      value={source.id}
      options={options}
      onChange={(id) => void change(id)}
    />
  );
};
