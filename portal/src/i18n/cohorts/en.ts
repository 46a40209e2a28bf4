import { plural } from '../plural.ts';

const p = plural('en');

/** The texts of cohorts and their comparison, loaded with these. */
export const en = {
  noKeptCohorts: 'No cohorts yet. In Explore, choose “Save as cohort” to save the current filter.',
  keptHere: 'Saved in this browser only. Export to keep a copy.',
  tickedCohorts: 'Selected cohorts',
  tickTwo: 'Select two or more',
  exportCohorts: 'Export',
  importCohorts: 'Import',
  brokenCohorts: 'This file does not contain cohorts.',
  openCohort: 'Open',
  rename: 'Rename',
  pickCohorts: 'Cohorts to compare',
  points: 'Difference',
  median: 'Median',
  whatIsThis: 'What is this?',
  compareCsv: 'Save all (CSV)',
  effect: 'Effect',
  test: 'Test',
  sizeThen: (count: string, day: string) => `${count} on ${day}`,
  combinations: { union: 'Union', intersection: 'Intersection', difference: 'Difference' },
  combined: {
    union: (names: readonly string[]) => names.join(' or '),
    intersection: (names: readonly string[]) => names.join(' and '),
    difference: ([first, ...others]: readonly string[]) => `${first} without ${others.join(', ')}`,
  },
  lead: {
    medianSurvival: (name: string, time: string) => `${name}: median survival ${time}`,
    years: (count: string) => `${count} years`,
    /** Between what a sentence says of each cohort. */
    then: '; ',
    logRank: (p: string) => `log-rank p ${p}`,
    hazardRatio: (name: string, reference: string, ratio: string, limits: string) =>
      `Hazard ratio of ${name} against ${reference}: ${ratio} (${limits})`,
    against: (shares: readonly string[]) => shares.join(' against '),
  },
  reference: 'Reference',
  makeReference: 'Use as reference',
  definedBy: 'Fields that define the cohorts',
  survival: {
    title: (time: string) => `Survival by “${time}”`,
    share: 'Survival',
    cohort: 'Cohort',
    atRisk: 'At risk',
    events: 'Events',
    censored: 'Censored',
    lower: '95% from',
    upper: '95% to',
    median: (median: string, limits: string) => `median ${median}${limits && ` (${limits})`}`,
    notReached: 'not reached',
    ofThese: (records: string, events: string, n: number) =>
      `${records}, ${events} ${p(n, 'death', 'deaths')}`,
    leftOut: {
      noTime: (count: string) => `${count} without a time`,
      negativeTime: (count: string) => `${count} with a negative time`,
      noEvent: (count: string) => `${count} with unknown outcome`,
    },
    leftOutOf: (name: string, reasons: string) => `Excluded from ${name}: ${reasons}`,
    withheld: 'No survival curves: counts are ranges.',
    nobody: 'No survival curves: no selected institution provides them.',
    why: 'Kaplan–Meier estimate of the share still alive at each time. Ticks mark censored records. Bands are pointwise 95% confidence intervals (log-log, Greenwood variance); the numbers below are those at risk.',
  },
  tested: {
    logRank: (statistic: string, degrees: string, p: string) =>
      `Log-rank χ² ${statistic} (${degrees} df), p ${p}`,
    chiSquared: (statistic: string, degrees: string, p: string, effect: string) =>
      `χ² ${statistic} (${degrees} df), p ${p}, Cramér’s V ${effect}`,
    mannWhitney: (statistic: string, degrees: string, p: string, effect: string) =>
      `Mann–Whitney z ${statistic}, p ${p}, ${effect} of pairs`,
  },
  testedWhy: {
    logRank:
      'Log-rank test: the probability of a difference at least this large if survival were the same in all cohorts. All times are weighted equally, so curves that cross can differ without a small p. The test does not explain why cohorts differ.',
    chiSquared:
      'Pearson’s chi-squared test: the probability of differences at least this large if the cohorts had the same shares. Cramér’s V is the effect size: 0 none, 0.1 small, 0.3 medium, 0.5 large. Values expected fewer than five times are combined; records without a value are excluded.',
    mannWhitney:
      'Mann–Whitney test: the probability of a difference in ranks at least this large if both cohorts were alike. The percentage is how often a record of the first cohort has the greater value: 50% means no difference. Values in one interval are ties.',
  },
  untested: {
    intervals: 'Not tested: counts are ranges.',
    overlap: 'Not tested: the cohorts overlap.',
    several: 'Not tested: records can have several values.',
    tooMany: 'Not tested: too many values.',
    two: 'Not tested: numbers can be tested for two cohorts only.',
  },
};

export type CohortTexts = typeof en;
