import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components';
import type { LocalText } from '../api/config.ts';
import { stored, store } from '../look/stored.ts';
import { en, type Messages } from './en.ts';
import { formatsOf, type Formats } from './formats.ts';

/** `ar` is a test of right-to-left: English texts in the other direction. */
export const languages = { en: 'English', fr: 'Français', de: 'Deutsch' } as const;
export type Language = keyof typeof languages | 'ar';

const loaders: Readonly<Record<string, () => Promise<Messages>>> = {
  fr: async () => (await import('./fr.ts')).fr,
  de: async () => (await import('./de.ts')).de,
};

interface Locale extends Formats {
  readonly t: Messages;
  readonly language: Language;
  readonly setLanguage: (language: Language) => void;
  /** One text of portal.json in this language. */
  readonly pick: (text: LocalText) => string;
}

const Context = createContext<Locale | null>(null);

/** The texts and formats of the current language. @throws Error outside of a LocaleProvider */
export const useLocale = (): Locale => {
  const locale = use(Context);
  if (locale === null) throw new Error('no locale here');
  return locale;
};

const isLanguage = (name: string | null): name is Language =>
  name !== null && (name === 'ar' || name in languages);

/** What the address asks for, was chosen before, or the browser prefers. */
const firstLanguage = (): Language => {
  const asked = new URLSearchParams(location.search).get('lang') ?? stored('language');
  if (isLanguage(asked)) return asked;
  return (
    (navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in languages) as Language) ?? 'en'
  );
};

/** Provides the chosen language; renders nothing until its texts are loaded. */
export const LocaleProvider = ({ children }: { readonly children: ReactNode }) => {
  const [language, setLanguage] = useState(firstLanguage);
  const [texts, setTexts] = useState<{ readonly of: Language; readonly t: Messages } | null>(
    language in loaders ? null : { of: language, t: en },
  );
  useEffect(() => {
    let isCurrent = true;
    const load = loaders[language] ?? (() => Promise.resolve(en));
    void load().then((t) => isCurrent && setTexts({ of: language, t }));
    return () => void (isCurrent = false);
  }, [language]);
  const locale = useMemo<Locale | null>(
    () =>
      texts && {
        t: texts.t,
        language: texts.of,
        setLanguage: (next) => {
          store('language', next);
          setLanguage(next);
        },
        pick: (text) =>
          typeof text === 'string' ? text : (text[texts.of] ?? text['en'] ?? Object.values(text)[0] ?? ''),
        ...formatsOf(texts.of),
      },
    [texts],
  );
  useEffect(() => {
    if (texts === null) return;
    document.documentElement.lang = texts.of === 'ar' ? 'en' : texts.of;
    document.documentElement.dir = texts.of === 'ar' ? 'rtl' : 'ltr';
  }, [texts]);
  if (locale === null) return null;
  return (
    <I18nProvider locale={localeTags[locale.language]}>
      <Context value={locale}>{children}</Context>
    </I18nProvider>
  );
};

const localeTags: Readonly<Record<Language, string>> = { en: 'en-US', fr: 'fr-FR', de: 'de-DE', ar: 'ar-AE' };
