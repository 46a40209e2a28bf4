import { plural } from '../plural.ts';
import type { CohortTexts } from './en.ts';

const p = plural('fr');

/** French. */
export const fr: CohortTexts = {
  noKeptCohorts:
    'Pas encore de cohortes. Dans « Explorer », choisissez « Enregistrer comme cohorte » pour enregistrer le filtre actuel.',
  keptHere: 'Enregistrées dans ce navigateur uniquement. Exportez-les pour en garder une copie.',
  tickedCohorts: 'Cohortes sélectionnées',
  tickTwo: 'Sélectionnez-en deux ou plus',
  exportCohorts: 'Exporter',
  importCohorts: 'Importer',
  brokenCohorts: 'Ce fichier ne contient pas de cohortes.',
  openCohort: 'Ouvrir',
  rename: 'Renommer',
  pickCohorts: 'Cohortes à comparer',
  points: 'Écart',
  median: 'Médiane',
  whatIsThis: 'Qu’est-ce que c’est ?',
  compareCsv: 'Tout enregistrer (CSV)',
  effect: 'Effet',
  test: 'Test',
  sizeThen: (count, day) => `${count} le ${day}`,
  combinations: { union: 'Union', intersection: 'Intersection', difference: 'Différence' },
  combined: {
    union: (names) => names.join(' ou '),
    intersection: (names) => names.join(' et '),
    difference: ([first, ...others]) => `${first} sans ${others.join(', ')}`,
  },
  lead: {
    medianSurvival: (name, time) => `${name} : survie médiane ${time}`,
    years: (count) => `${count} ans`,
    then: ' ; ',
    logRank: (p) => `log-rank p ${p}`,
    hazardRatio: (name, reference, ratio, limits) =>
      `Rapport de risque de ${name} par rapport à ${reference} : ${ratio} (${limits})`,
    against: (shares) => shares.join(' contre '),
  },
  reference: 'Référence',
  makeReference: 'Prendre comme référence',
  definedBy: 'Champs qui définissent les cohortes',
  survival: {
    title: (time) => `Survie selon « ${time} »`,
    share: 'Survie',
    cohort: 'Cohorte',
    atRisk: 'À risque',
    events: 'Événements',
    censored: 'Censurées',
    lower: '95 % de',
    upper: '95 % à',
    median: (median, limits) => `médiane ${median}${limits && ` (${limits})`}`,
    notReached: 'non atteinte',
    ofThese: (records, events, n) => `${records}, ${events} ${p(n, 'décès', 'décès')}`,
    leftOut: {
      noTime: (count) => `${count} sans durée`,
      negativeTime: (count) => `${count} avec une durée négative`,
      noEvent: (count) => `${count} dont l’issue est inconnue`,
    },
    leftOutOf: (name, reasons) => `Exclus de ${name} : ${reasons}`,
    withheld: 'Pas de courbes de survie : les effectifs sont des fourchettes.',
    nobody: 'Pas de courbes de survie : aucune institution sélectionnée n’en fournit.',
    why: 'Estimation de Kaplan-Meier de la part encore en vie à chaque instant. Les traits marquent les fiches censurées. Les bandes sont des intervalles de confiance ponctuels à 95 % (log-log, variance de Greenwood) ; les nombres au-dessous sont les effectifs à risque.',
  },
  tested: {
    logRank: (statistic, degrees, p) => `Log-rank χ² ${statistic} (${degrees} ddl), p ${p}`,
    chiSquared: (statistic, degrees, p, effect) =>
      `χ² ${statistic} (${degrees} ddl), p ${p}, V de Cramér ${effect}`,
    mannWhitney: (statistic, degrees, p, effect) =>
      `Mann–Whitney z ${statistic}, p ${p}, ${effect} des paires`,
  },
  testedWhy: {
    logRank:
      'Test du log-rank : la probabilité d’un écart au moins aussi grand si la survie était la même dans toutes les cohortes. Tous les instants ont le même poids, si bien que des courbes qui se croisent peuvent différer sans que p soit petit. Le test n’explique pas pourquoi les cohortes diffèrent.',
    chiSquared:
      'Test du khi-deux de Pearson : la probabilité d’écarts au moins aussi grands si les cohortes avaient les mêmes parts. Le V de Cramér est la taille d’effet : 0 nulle, 0,1 petite, 0,3 moyenne, 0,5 grande. Les valeurs attendues moins de cinq fois sont regroupées ; les fiches sans valeur sont exclues.',
    mannWhitney:
      'Test de Mann–Whitney : la probabilité d’un écart de rangs au moins aussi grand si les deux cohortes étaient semblables. Le pourcentage indique combien de fois une fiche de la première a la plus grande valeur : 50 % signifie aucune différence. Les valeurs d’un même intervalle sont ex æquo.',
  },
  untested: {
    intervals: 'Non testé : les effectifs sont des fourchettes.',
    overlap: 'Non testé : les cohortes se recouvrent.',
    several: 'Non testé : les fiches peuvent avoir plusieurs valeurs.',
    tooMany: 'Non testé : trop de valeurs.',
    two: 'Non testé : les nombres ne se testent que pour deux cohortes.',
  },
};
