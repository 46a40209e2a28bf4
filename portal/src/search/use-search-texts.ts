import { useLocale } from '../i18n/locale.tsx';

const en = {
  suggestionsFor: (text: string) => `Suggestions for “${text}”`,
  withWords: (text: string) => `Records containing “${text}”`,
  didYouMean: (text: string) => `Did you mean “${text}”?`,
  noneHas: (what: string) => `No record has ${what}`,
  without: (what: string) => `Without ${what}`,
};

type SearchTexts = typeof en;

const fr: SearchTexts = {
  suggestionsFor: (text) => `Suggestions pour « ${text} »`,
  withWords: (text) => `Fiches contenant « ${text} »`,
  didYouMean: (text) => `Vouliez-vous dire « ${text} » ?`,
  noneHas: (what) => `Aucune fiche : ${what}`,
  without: (what) => `Sans ${what}`,
};

const de: SearchTexts = {
  suggestionsFor: (text) => `Vorschläge für „${text}“`,
  withWords: (text) => `Datensätze mit „${text}“`,
  didYouMean: (text) => `Meinten Sie „${text}“?`,
  noneHas: (what) => `Kein Datensatz: ${what}`,
  without: (what) => `Ohne ${what}`,
};

const texts = { en, fr, de, ar: en };

/** The texts of suggestions in the current language. */
export const useSearchTexts = (): SearchTexts => texts[useLocale().language];
