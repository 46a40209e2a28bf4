import { usePartTexts } from '../i18n/locale.tsx';

const en = {
  intro:
    'One message to each institution, in your own mail program or through its form. Nothing is kept on this server.',
  asked: 'What are you asking for?',
  kinds: {
    records: 'Access to these records',
    samples: 'Samples or material',
    collaboration: 'A collaboration',
    answer: 'An answer to a question about them',
  },
  purpose: 'Purpose, and who you are',
  write: (name: string) => `Write to ${name}`,
  openForm: (name: string) => `Open the form of ${name}`,
  mail: 'Write',
  form: 'Form',
  formHint: 'Copy the text below into the form.',
  noContact: 'No contact given',
  notKnown: 'did not answer',
  print: 'Print a copy',
  text: 'Text of the request',
  subject: (question: string) => `Request: ${question}`,
  greeting: 'Dear colleagues,',
  body: (asked: string, records: string) => `${asked}: ${records}.`,
  withYou: (count: string, day: string) => `Records with you on ${day}: ${count}`,
  counts: (list: string, day: string) => `Records on ${day}: ${list}`,
  link: 'The same question with today’s counts',
};

type RequestTexts = typeof en;

const fr: RequestTexts = {
  intro:
    'Un message par institution, dans votre messagerie ou par son formulaire. Rien n’est conservé sur ce serveur.',
  asked: 'Que demandez-vous ?',
  kinds: {
    records: 'L’accès à ces fiches',
    samples: 'Des échantillons ou du matériel',
    collaboration: 'Une collaboration',
    answer: 'Une réponse à une question à leur sujet',
  },
  purpose: 'Objectif, et qui vous êtes',
  write: (name) => `Écrire à ${name}`,
  openForm: (name) => `Ouvrir le formulaire de ${name}`,
  mail: 'Écrire',
  form: 'Formulaire',
  formHint: 'Copiez le texte ci-dessous dans le formulaire.',
  noContact: 'Aucun contact indiqué',
  notKnown: 'n’a pas répondu',
  print: 'Imprimer une copie',
  text: 'Texte de la demande',
  subject: (question) => `Demande : ${question}`,
  greeting: 'Madame, Monsieur,',
  body: (asked, records) => `${asked} : ${records}.`,
  withYou: (count, day) => `Fiches chez vous le ${day} : ${count}`,
  counts: (list, day) => `Fiches le ${day} : ${list}`,
  link: 'La même question avec les effectifs du jour',
};

const de: RequestTexts = {
  intro:
    'Eine Nachricht an jede Einrichtung, aus Ihrem Mailprogramm oder über deren Formular. Auf diesem Server wird nichts gespeichert.',
  asked: 'Worum bitten Sie?',
  kinds: {
    records: 'Zugang zu diesen Datensätzen',
    samples: 'Proben oder Material',
    collaboration: 'Eine Zusammenarbeit',
    answer: 'Eine Auskunft zu ihnen',
  },
  purpose: 'Zweck, und wer Sie sind',
  write: (name) => `An ${name} schreiben`,
  openForm: (name) => `Formular von ${name} öffnen`,
  mail: 'Schreiben',
  form: 'Formular',
  formHint: 'Kopieren Sie den Text unten in das Formular.',
  noContact: 'Kein Kontakt angegeben',
  notKnown: 'hat nicht geantwortet',
  print: 'Kopie drucken',
  text: 'Text der Anfrage',
  subject: (question) => `Anfrage: ${question}`,
  greeting: 'Guten Tag,',
  body: (asked, records) => `${asked}: ${records}.`,
  withYou: (count, day) => `Datensätze bei Ihnen am ${day}: ${count}`,
  counts: (list, day) => `Datensätze am ${day}: ${list}`,
  link: 'Dieselbe Frage mit den heutigen Anzahlen',
};

/** The texts of requests in the current language. */
export const useRequestTexts = (): RequestTexts => usePartTexts({ en, fr, de });
