import { usePartTexts } from '../i18n/locale.tsx';

const en = {
  title: 'How to search and cite',
  search: 'Searching',
  searchText:
    'Type what you are looking for in your own words: “women over 60 breast” becomes three filters, with the number of records before you press Enter. Names of values, their synonyms and comparisons with numbers are understood in English, French and German; other words are searched in every text field, ignoring case and accents, and the last one may be incomplete. Put words in quotation marks to search for them as they are. Filters narrow the results: values of one filter are combined with “or”, different filters with “and”.',
  numbers: 'Reading the numbers',
  numbersText:
    'A range such as 807 to 830 means that an institution reports ranges only. “Not recorded” is not zero: the institution does not collect that field. “Did not answer” is not zero either: the count is unknown.',
  programs: 'Everything on these pages comes from an open API:',
  cite: 'Citing',
  citeText: (name: string, url: string, date: string) => `${name}. ${url}, accessed ${date}.`,
};

type DocsTexts = typeof en;

const fr: DocsTexts = {
  title: 'Comment rechercher et citer',
  search: 'Rechercher',
  searchText:
    'Écrivez ce que vous cherchez avec vos mots : « femmes de plus de 60 ans, sein » donne trois filtres, et le nombre de fiches s’affiche avant même d’appuyer sur Entrée. Les noms des valeurs, leurs synonymes et les comparaisons de nombres sont compris en français, en anglais et en allemand ; les autres mots sont cherchés dans tous les champs de texte, sans tenir compte de la casse ni des accents, et le dernier peut être incomplet. Mettez des mots entre guillemets pour les chercher tels quels. Les filtres restreignent les résultats : les valeurs d’un même filtre sont liées par « ou », des filtres différents par « et ».',
  numbers: 'Lire les nombres',
  numbersText:
    'Une fourchette comme 807 à 830 signifie qu’une institution ne donne que des fourchettes. « Non renseigné » ne veut pas dire zéro : l’institution ne recueille pas ce champ. « N’a pas répondu » non plus : le nombre est inconnu.',
  programs: 'Tout le contenu de ces pages provient d’une API ouverte :',
  cite: 'Citer',
  citeText: (name, url, date) => `${name}. ${url}, consulté le ${date}.`,
};

const de: DocsTexts = {
  title: 'Suchen und zitieren',
  search: 'Suchen',
  searchText:
    'Schreiben Sie in eigenen Worten, was Sie suchen: Aus „Frauen über 60 Brust“ werden drei Filter, und die Zahl der Datensätze steht daneben, noch bevor Sie die Eingabetaste drücken. Namen von Werten, ihre Synonyme und Vergleiche mit Zahlen werden auf Deutsch, Englisch und Französisch verstanden; andere Wörter werden in allen Textfeldern gesucht, ohne Rücksicht auf Groß- und Kleinschreibung und Akzente, und das letzte darf unvollständig sein. Wörter in Anführungszeichen werden gesucht, wie sie dastehen. Filter grenzen die Ergebnisse ein: Werte eines Filters werden mit „oder“ verknüpft, verschiedene Filter mit „und“.',
  numbers: 'Die Zahlen lesen',
  numbersText:
    'Eine Spanne wie 807 bis 830 bedeutet, dass eine Einrichtung nur Spannen meldet. „Nicht erfasst“ heißt nicht null: Die Einrichtung erhebt dieses Feld nicht. „Hat nicht geantwortet“ heißt auch nicht null: Die Anzahl ist unbekannt.',
  programs: 'Alles auf diesen Seiten kommt aus einer offenen API:',
  cite: 'Zitieren',
  citeText: (name, url, date) => `${name}. ${url}, abgerufen am ${date}.`,
};

/** The texts of the help page in the current language. */
export const useDocsTexts = (): DocsTexts => usePartTexts({ en, fr, de });
