import { plural } from '../plural.ts';
import type { CohortTexts } from './en.ts';

const p = plural('de');

/** German. */
export const de: CohortTexts = {
  noKeptCohorts:
    'Noch keine Kohorten. Wählen Sie unter „Erkunden“ die Schaltfläche „Als Kohorte speichern“, um den aktuellen Filter zu speichern.',
  keptHere: 'Nur in diesem Browser gespeichert. Exportieren Sie sie, um eine Kopie zu behalten.',
  tickedCohorts: 'Ausgewählte Kohorten',
  tickTwo: 'Wählen Sie zwei oder mehr',
  exportCohorts: 'Exportieren',
  importCohorts: 'Importieren',
  brokenCohorts: 'Diese Datei enthält keine Kohorten.',
  openCohort: 'Öffnen',
  rename: 'Umbenennen',
  pickCohorts: 'Kohorten zum Vergleich',
  points: 'Unterschied',
  median: 'Median',
  whatIsThis: 'Was ist das?',
  compareCsv: 'Alles speichern (CSV)',
  effect: 'Effekt',
  test: 'Test',
  sizeThen: (count, day) => `${count} am ${day}`,
  combinations: { union: 'Vereinigung', intersection: 'Schnittmenge', difference: 'Differenz' },
  combined: {
    union: (names) => names.join(' oder '),
    intersection: (names) => names.join(' und '),
    difference: ([first, ...others]) => `${first} ohne ${others.join(', ')}`,
  },
  lead: {
    medianSurvival: (name, time) => `${name}: medianes Überleben ${time}`,
    years: (count) => `${count} Jahre`,
    then: '; ',
    logRank: (p) => `Log-Rank p ${p}`,
    hazardRatio: (name, reference, ratio, limits) =>
      `Hazard-Ratio von ${name} gegenüber ${reference}: ${ratio} (${limits})`,
    against: (shares) => shares.join(' gegenüber '),
  },
  reference: 'Referenz',
  makeReference: 'Als Referenz verwenden',
  definedBy: 'Felder, die die Kohorten festlegen',
  survival: {
    title: (time) => `Überleben nach „${time}“`,
    share: 'Überleben',
    cohort: 'Kohorte',
    atRisk: 'Unter Risiko',
    events: 'Ereignisse',
    censored: 'Zensiert',
    lower: '95 % von',
    upper: '95 % bis',
    median: (median, limits) => `Median ${median}${limits && ` (${limits})`}`,
    notReached: 'nicht erreicht',
    ofThese: (records, events, n) => `${records}, ${events} ${p(n, 'Todesfall', 'Todesfälle')}`,
    leftOut: {
      noTime: (count) => `${count} ohne Zeit`,
      negativeTime: (count) => `${count} mit negativer Zeit`,
      noEvent: (count) => `${count} mit unbekanntem Ausgang`,
    },
    leftOutOf: (name, reasons) => `Aus ${name} ausgeschlossen: ${reasons}`,
    withheld: 'Keine Überlebenskurven: Die Anzahlen sind Spannen.',
    nobody: 'Keine Überlebenskurven: Keine der ausgewählten Einrichtungen liefert sie.',
    why: 'Kaplan-Meier-Schätzung des Anteils, der zu jedem Zeitpunkt noch lebt. Striche markieren zensierte Datensätze. Die Bänder sind punktweise 95-%-Konfidenzintervalle (Log-log, Greenwood-Varianz); die Zahlen darunter sind die unter Risiko.',
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
      'Log-Rank-Test: die Wahrscheinlichkeit eines mindestens so großen Unterschieds, wenn das Überleben in allen Kohorten gleich wäre. Alle Zeiten werden gleich gewichtet, daher können sich kreuzende Kurven unterscheiden, ohne dass p klein ist. Der Test erklärt nicht, warum sich Kohorten unterscheiden.',
    chiSquared:
      'Pearsons Chi-Quadrat-Test: die Wahrscheinlichkeit mindestens so großer Unterschiede, wenn die Kohorten gleiche Anteile hätten. Cramérs V ist die Effektstärke: 0 keine, 0,1 klein, 0,3 mittel, 0,5 groß. Werte mit weniger als fünf erwarteten Fällen sind zusammengefasst; Datensätze ohne Angabe sind ausgeschlossen.',
    mannWhitney:
      'Mann-Whitney-Test: die Wahrscheinlichkeit eines mindestens so großen Rangunterschieds, wenn beide Kohorten gleich wären. Der Prozentwert gibt an, wie oft ein Datensatz der ersten Kohorte den größeren Wert hat: 50 % bedeutet keinen Unterschied. Werte eines Intervalls gelten als gleich.',
  },
  untested: {
    intervals: 'Nicht getestet: Die Anzahlen sind Spannen.',
    overlap: 'Nicht getestet: Die Kohorten überschneiden sich.',
    several: 'Nicht getestet: Datensätze können mehrere Werte haben.',
    tooMany: 'Nicht getestet: zu viele Werte.',
    two: 'Nicht getestet: Zahlen lassen sich nur für zwei Kohorten testen.',
  },
};
