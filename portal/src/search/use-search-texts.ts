import { usePartTexts } from '../i18n/locale.tsx';

const en = {
  nothingFound: 'No results',
  nothingFoundWhy: 'All institutions answered; none has a match.',
  nothingFoundLacking: (names: string) =>
    `All institutions that record these fields answered; none has a match. Not recorded at ${names}.`,
  nothingFoundPartial: 'No match at the institutions that answered. Others may have some.',
  clearFilter: 'Clear the filter',
  suggestionsFor: (text: string) => `Suggestions for “${text}”`,
  withWords: (text: string) => `Records containing “${text}”`,
  didYouMean: (text: string) => `Did you mean “${text}”?`,
  noneHas: (what: string) => `No record has ${what}`,
  without: (what: string) => `Without ${what}`,
};

type SearchTexts = typeof en;

const fr: SearchTexts = {
  nothingFound: 'Aucun résultat',
  nothingFoundWhy: 'Toutes les institutions ont répondu ; aucune n’a de résultat.',
  nothingFoundLacking: (names) =>
    `Toutes les institutions qui renseignent ces champs ont répondu ; aucune n’a de résultat. Non renseigné par ${names}.`,
  nothingFoundPartial: 'Les institutions qui ont répondu n’ont aucun résultat. Les autres en ont peut-être.',
  clearFilter: 'Effacer le filtre',
  suggestionsFor: (text) => `Suggestions pour « ${text} »`,
  withWords: (text) => `Fiches contenant « ${text} »`,
  didYouMean: (text) => `Vouliez-vous dire « ${text} » ?`,
  noneHas: (what) => `Aucune fiche : ${what}`,
  without: (what) => `Sans ${what}`,
};

const de: SearchTexts = {
  nothingFound: 'Keine Ergebnisse',
  nothingFoundWhy: 'Alle Einrichtungen haben geantwortet; keine hat einen Treffer.',
  nothingFoundLacking: (names) =>
    `Alle Einrichtungen, die diese Felder erfassen, haben geantwortet; keine hat einen Treffer. Nicht erfasst bei ${names}.`,
  nothingFoundPartial:
    'Die Einrichtungen, die geantwortet haben, haben keine Treffer. Die übrigen haben vielleicht welche.',
  clearFilter: 'Filter zurücksetzen',
  suggestionsFor: (text) => `Vorschläge für „${text}“`,
  withWords: (text) => `Datensätze mit „${text}“`,
  didYouMean: (text) => `Meinten Sie „${text}“?`,
  noneHas: (what) => `Kein Datensatz: ${what}`,
  without: (what) => `Ohne ${what}`,
};

/** The texts of suggestions in the current language. */
export const useSearchTexts = (): SearchTexts => usePartTexts({ en, fr, de });
