import { usePartTexts } from '../../i18n/locale.tsx';

const en = {
  downloadTitle: 'Download these records',
  format: 'Format',
  formats: { tsv: 'TSV, for spreadsheets', csv: 'CSV', json: 'JSON, one record per line' },
  downloading: (bytes: string) => `${bytes} received`,
  downloadDone: (bytes: string) => `Done: ${bytes}. Check your downloads.`,
  isComplete: 'Includes every matching record of every institution.',
  isIncomplete: (names: string) => `Incomplete. Missing in whole or in part: ${names}.`,
  isCut: (rows: string) => `Limited to ${rows} records by the server.`,
  oneInstitution: 'The file is complete if the download finished.',
};

type DownloadTexts = typeof en;

const fr: DownloadTexts = {
  downloadTitle: 'Télécharger ces fiches',
  format: 'Format',
  formats: { tsv: 'TSV, pour tableurs', csv: 'CSV', json: 'JSON, une fiche par ligne' },
  downloading: (bytes) => `${bytes} reçus`,
  downloadDone: (bytes) => `Terminé : ${bytes}. Le fichier est dans vos téléchargements.`,
  isComplete: 'Contient toutes les fiches correspondantes de toutes les institutions.',
  isIncomplete: (names) => `Incomplet. Il manque, en tout ou en partie : ${names}.`,
  isCut: (rows) => `Limité à ${rows} fiches par le serveur.`,
  oneInstitution: 'Le fichier est complet si le téléchargement s’est terminé.',
};

const de: DownloadTexts = {
  downloadTitle: 'Diese Datensätze herunterladen',
  format: 'Format',
  formats: { tsv: 'TSV, für Tabellenprogramme', csv: 'CSV', json: 'JSON, ein Datensatz pro Zeile' },
  downloading: (bytes) => `${bytes} empfangen`,
  downloadDone: (bytes) => `Fertig: ${bytes}. Die Datei liegt in Ihren Downloads.`,
  isComplete: 'Enthält alle passenden Datensätze aller Einrichtungen.',
  isIncomplete: (names) => `Unvollständig. Ganz oder teilweise fehlen: ${names}.`,
  isCut: (rows) => `Vom Server auf ${rows} Datensätze begrenzt.`,
  oneInstitution: 'Die Datei ist vollständig, wenn der Download abgeschlossen wurde.',
};

/** The texts of downloads in the current language. */
export const useDownloadTexts = (): DownloadTexts => usePartTexts({ en, fr, de });
