/** The languages of the portal with their own names: for its texts, and for the texts in portal.json. */
export const portalLanguages = { en: 'English', fr: 'Français', de: 'Deutsch' } as const;

/** A text of portal.json, or one for each language. */
export type LocalText = string | Readonly<Record<string, string>>;

/** A text in a language, else in English, else in the first language that it has. */
export const textIn = (text: LocalText, language: string): string =>
  typeof text === 'string' ? text : (text[language] ?? text['en'] ?? Object.values(text)[0] ?? '');
