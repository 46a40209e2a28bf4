import type { CohortTexts } from './en.ts';

/** French. */
export const fr: CohortTexts = {
  noKeptCohorts:
    'Aucune cohorte n’est gardée. Dans Explorer, « Garder comme cohorte » garde le filtre du moment.',
  keptHere: 'Gardées dans ce navigateur seulement. Exportez-les pour les emporter.',
  tickedCohorts: 'Les cohortes cochées',
  tickTwo: 'Cochez-en deux ou plus',
  ofOtherSources: 'D’autres sources',
  exportCohorts: 'Exporter',
  importCohorts: 'Importer',
  brokenCohorts: 'Ce fichier ne contient pas de cohortes.',
  openCohort: 'Ouvrir',
  rename: 'Renommer',
  pickCohorts: 'Cohortes à comparer',
  points: 'Points',
  median: 'Médiane',
  institutionsMix: 'De quelles institutions',
  whatIsThis: 'Qu’est-ce que c’est ?',
  compareCsv: 'Tout en CSV',
  effect: 'Effet',
  test: 'Test',
  sizeThen: (count, day) => `${count} le ${day}`,
  combinations: { union: 'Union', intersection: 'Intersection', difference: 'Différence' },
  combined: {
    union: (names) => names.join(' ou '),
    intersection: (names) => names.join(' et '),
    difference: ([first, ...others]) => `${first} sans ${others.join(', ')}`,
  },
  survival: {
    title: (time) => `Survie selon « ${time} »`,
    share: 'Survie',
    cohort: 'Cohorte',
    atRisk: 'À risque',
    events: 'Événements',
    censored: 'Vus en dernier',
    lower: '95 % de',
    upper: '95 % à',
    limits: (lower, upper) => `${lower} à ${upper}`,
    median: (median, limits) => `médiane ${median}${limits && ` (${limits})`}`,
    notReached: 'non atteinte',
    ofThese: (records, events) => `${records}, ${events} avec l’événement`,
    leftOut: {
      noTime: (count) => `${count} sans durée`,
      negativeTime: (count) => `${count} avec une durée inférieure à 0`,
      noEvent: (count) => `${count} dont l’événement n’est pas connu`,
    },
    leftOutOf: (name, reasons) => `Exclus de ${name} : ${reasons}`,
    withheld: 'Pas de courbes de survie : ici les nombres sont des intervalles.',
    nobody: 'Pas de courbes de survie : aucune des institutions interrogées n’en donne.',
    why: 'L’estimation de Kaplan et Meier : la part encore sans l’événement à chaque instant, parmi celles observées jusque-là. Un trait marque un instant où des fiches ont été vues pour la dernière fois sans lui. La bande contient la vraie part à chaque instant avec 95 % de certitude (limites log-log selon la variance de Greenwood) ; les nombres au-dessous sont celles encore observées.',
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
      'Le test du log-rank : la probabilité d’écarts au moins aussi grands par hasard, si toutes les cohortes avaient la même survie. Tous les instants comptent autant ; des courbes qui se croisent peuvent différer sans qu’il le montre. Il compare des groupes et ne dit pas pourquoi ils diffèrent.',
    chiSquared:
      'Le test du chi-deux de Pearson : la probabilité d’écarts au moins aussi grands par hasard, si les cohortes avaient les mêmes parts. Le V de Cramér dit leur taille : 0 aucune, 0,1 petite, 0,3 moyenne, 0,5 grande. Les valeurs attendues moins de cinq fois sont réunies ; les fiches sans valeur ne comptent pas.',
    mannWhitney:
      'Le test de Mann–Whitney : la probabilité que les valeurs d’une cohorte soient par hasard si hautes, si les deux étaient pareilles. Le pourcentage dit combien de fois une fiche de la première a la plus grande valeur : 50 % est sans différence. Les valeurs d’un intervalle comptent comme égales.',
  },
  untested: {
    intervals: 'Non testé : des nombres sont des intervalles.',
    overlap: 'Non testé : des fiches sont dans plusieurs cohortes.',
    several: 'Non testé : une fiche peut avoir plusieurs valeurs.',
    tooMany: 'Non testé : plus de valeurs que reçues.',
    nothing: 'Non testé : rien à comparer.',
    two: 'Non testé : des nombres de deux cohortes à la fois.',
  },
};
