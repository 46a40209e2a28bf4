import { usePartTexts } from '../../i18n/locale.tsx';

const en = {
  shareTitle: 'Share this search',
  linkText: 'Link to this page',
  longLink: 'This link is long. A short link is stored on the server until newer ones replace it.',
  shortLink: 'Create a short link',
};

type ShareTexts = typeof en;

const fr: ShareTexts = {
  shareTitle: 'Partager cette recherche',
  linkText: 'Lien vers cette page',
  longLink:
    'Ce lien est long. Un lien court est conservé sur le serveur jusqu’à ce que de plus récents le remplacent.',
  shortLink: 'Créer un lien court',
};

const de: ShareTexts = {
  shareTitle: 'Diese Suche teilen',
  linkText: 'Link zu dieser Seite',
  longLink: 'Dieser Link ist lang. Ein kurzer wird auf dem Server gespeichert, bis neuere ihn ersetzen.',
  shortLink: 'Kurzlink erstellen',
};

/** The texts of links to share in the current language. */
export const useShareTexts = (): ShareTexts => usePartTexts({ en, fr, de });
