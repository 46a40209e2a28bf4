import { portalLanguages as languages } from '../../../src/lib/text/portal-languages.ts';
import { stored } from '../look/stored.ts';
import { en, type Messages } from './en.ts';

/** `ar` is a test of right-to-left: English texts in the other direction. */
export type Language = keyof typeof languages | 'ar';

/** A language with its texts. */
export interface Texts {
  readonly of: Language;
  readonly t: Messages;
}

type Loader = () => Promise<Messages>;

const loaders: Readonly<Record<Exclude<keyof typeof languages, 'en'>, Loader>> = {
  fr: async () => (await import('./fr.ts')).fr,
  de: async () => (await import('./de.ts')).de,
};

/** The texts of a language; English comes with the first load. */
export const textsOf = async (language: Language): Promise<Texts> => ({
  of: language,
  t: language === 'en' || language === 'ar' ? en : await loaders[language](),
});

const isLanguage = (name: string | null): name is Language =>
  name !== null && (name === 'ar' || name in languages);

/** The language in the address, the language chosen before, or the browser's preference. */
export const firstLanguage = (): Language => {
  const requested = new URLSearchParams(location.search).get('lang') ?? stored('language');
  if (isLanguage(requested)) return requested;
  return (
    (navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in languages) as Language) ?? 'en'
  );
};
