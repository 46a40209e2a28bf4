import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { textIn, type LocalText } from '../../../src/lib/text/portal-languages.ts';
import { store } from '../look/stored.ts';
import type { Messages } from './en.ts';
import { formatsOf, type Formats } from './formats.ts';
import { textsOf, type Language, type Texts } from './language.ts';

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

/** The texts of a part of the pages in the current language. Those that test right-to-left are English. */
export const usePartTexts = <Part,>(texts: Readonly<Record<Exclude<Language, 'ar'>, Part>>): Part => {
  const { language } = useLocale();
  return texts[language === 'ar' ? 'en' : language];
};

interface LocaleProviderProps {
  /** The initial language. */
  readonly first: Texts;
  readonly children: ReactNode;
}

/** Provides the chosen language; changes it as soon as its texts are loaded. */
export const LocaleProvider = ({ first, children }: LocaleProviderProps) => {
  const [language, setLanguage] = useState(first.of);
  const [texts, setTexts] = useState(first);
  useEffect(() => {
    let isCurrent = true;
    void textsOf(language).then((loaded) => isCurrent && setTexts(loaded));
    return () => void (isCurrent = false);
  }, [language]);
  const locale = useMemo<Locale>(
    () => ({
      t: texts.t,
      language: texts.of,
      setLanguage: (next) => {
        store('language', next);
        setLanguage(next);
      },
      pick: (text) => textIn(text, texts.of),
      ...formatsOf(texts.of),
    }),
    [texts],
  );
  useEffect(() => {
    document.documentElement.lang = texts.of === 'ar' ? 'en' : texts.of;
    document.documentElement.dir = texts.of === 'ar' ? 'rtl' : 'ltr';
  }, [texts]);
  return (
    <I18nProvider locale={localeTags[locale.language]}>
      <Context value={locale}>{children}</Context>
    </I18nProvider>
  );
};

const localeTags: Readonly<Record<Language, string>> = { en: 'en-US', fr: 'fr-FR', de: 'de-DE', ar: 'ar-AE' };
