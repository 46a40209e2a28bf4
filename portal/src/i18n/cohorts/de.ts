import type { CohortTexts } from './en.ts';

/** German. */
export const de: CohortTexts = {
  noKeptCohorts:
    'Noch ist keine Kohorte gemerkt. Auf „Erkunden“ merkt „Als Kohorte merken“ den Filter des Augenblicks.',
  keptHere: 'Nur in diesem Browser gemerkt. Exportieren Sie sie, um sie mitzunehmen.',
  tickedCohorts: 'Die angekreuzten Kohorten',
  tickTwo: 'Kreuzen Sie zwei oder mehr an',
  ofOtherSources: 'Aus anderen Quellen',
  exportCohorts: 'Exportieren',
  importCohorts: 'Importieren',
  brokenCohorts: 'Diese Datei enthält keine Kohorten.',
  openCohort: 'Öffnen',
  rename: 'Umbenennen',
  pickCohorts: 'Kohorten zum Vergleich',
  points: 'Punkte',
  median: 'Median',
  institutionsMix: 'Aus welchen Einrichtungen',
  whatIsThis: 'Was ist das?',
  compareCsv: 'Alles als CSV',
  effect: 'Effekt',
  test: 'Test',
  sizeThen: (count, day) => `${count} am ${day}`,
  combinations: { union: 'Vereinigung', intersection: 'Schnittmenge', difference: 'Differenz' },
  combined: {
    union: (names) => names.join(' oder '),
    intersection: (names) => names.join(' und '),
    difference: ([first, ...others]) => `${first} ohne ${others.join(', ')}`,
  },
  survival: {
    title: (time) => `Überleben nach „${time}“`,
    share: 'Überleben',
    cohort: 'Kohorte',
    atRisk: 'Unter Risiko',
    events: 'Ereignisse',
    censored: 'Zuletzt gesehen',
    lower: '95 % von',
    upper: '95 % bis',
    limits: (lower, upper) => `${lower} bis ${upper}`,
    median: (median, limits) => `Median ${median}${limits && ` (${limits})`}`,
    notReached: 'nicht erreicht',
    ofThese: (records, events) => `${records}, ${events} mit dem Ereignis`,
    leftOut: {
      noTime: (count) => `${count} ohne Zeit`,
      negativeTime: (count) => `${count} mit einer Zeit unter 0`,
      noEvent: (count) => `${count}, deren Ereignis nicht bekannt ist`,
    },
    leftOutOf: (name, reasons) => `Nicht dabei von ${name}: ${reasons}`,
    withheld: 'Keine Überlebenskurven: Zahlen sind hier Bereiche.',
    nobody: 'Keine Überlebenskurven: keine der befragten Einrichtungen liefert sie.',
    why: 'Die Schätzung nach Kaplan und Meier: der Anteil, der zu jeder Zeit noch ohne das Ereignis ist, unter allen bis dahin beobachteten. Ein Strich ist eine Zeit, zu der Datensätze zuletzt ohne es gesehen wurden. Das Band enthält den wahren Anteil zu jeder Zeit mit 95 % Sicherheit (Log-log-Grenzen aus Greenwoods Varianz); die Zahlen darunter sind die noch beobachteten.',
  },
  tested: {
    logRank: (statistic, degrees, p) => `Log-Rank χ² ${statistic} (${degrees} df), p ${p}`,
    chiSquared: (statistic, degrees, p, effect) =>
      `χ² ${statistic} (${degrees} df), p ${p}, Cramérs V ${effect}`,
    mannWhitney: (statistic, degrees, p, effect) =>
      `Mann-Whitney z ${statistic}, p ${p}, ${effect} der Paare`,
  },
  testedWhy: {
    logRank:
      'Der Log-Rank-Test: wie wahrscheinlich so große Unterschiede durch Zufall sind, wenn alle Kohorten gleich überlebten. Alle Zeiten zählen gleich; Kurven, die sich kreuzen, können sich unterscheiden, ohne dass er es zeigt. Er vergleicht Gruppen und sagt nicht, warum sie sich unterscheiden.',
    chiSquared:
      'Pearsons Chi-Quadrat-Test: wie wahrscheinlich so große Unterschiede durch Zufall sind, wenn beide Kohorten gleiche Anteile hätten. Cramérs V sagt, wie groß sie sind: 0 keine, 0,1 klein, 0,3 mittel, 0,5 groß. Werte, die weniger als fünfmal zu erwarten sind, sind zusammengefasst; Datensätze ohne Wert zählen nicht.',
    mannWhitney:
      'Der Mann-Whitney-Test: wie wahrscheinlich es durch Zufall ist, dass die Werte einer Kohorte so viel höher liegen, wenn beide gleich wären. Die Prozentzahl sagt, wie oft ein Datensatz der ersten Kohorte den größeren Wert hat: 50 % ist kein Unterschied. Werte eines Intervalls gelten als gleich.',
  },
  untested: {
    intervals: 'Nicht getestet: Zahlen sind Bereiche.',
    overlap: 'Nicht getestet: einige Datensätze sind in mehr als einer Kohorte.',
    several: 'Nicht getestet: ein Datensatz kann mehrere Werte haben.',
    tooMany: 'Nicht getestet: mehr Werte, als geholt wurden.',
    nothing: 'Nicht getestet: nichts zu vergleichen.',
    two: 'Nicht getestet: Zahlen nur von je zwei Kohorten.',
  },
};
