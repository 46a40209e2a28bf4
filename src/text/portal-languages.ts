/** The languages of the portal, as each calls itself: those of its texts, and of the names that portal.json gives. */
export const portalLanguages = { en: 'English', fr: 'Français', de: 'Deutsch' } as const;

/** A text of portal.json, or one for each language. */
export type LocalText = string | Readonly<Record<string, string>>;

/** A text in a language, else in English, else in the first that there is. */
export const textIn = (text: LocalText, language: string): string =>
  typeof text === 'string' ? text : (text[language] ?? text['en'] ?? Object.values(text)[0] ?? '');
