/** The texts of cohorts and their comparison, loaded with these. */
export const en = {
  noKeptCohorts: 'No cohort is kept yet. On Explore, “Save as cohort” keeps the filter of the moment.',
  keptHere: 'Kept in this browser only. Export them to take them along.',
  tickedCohorts: 'The ticked cohorts',
  tickTwo: 'Tick two or more',
  ofOtherSources: 'Of other sources',
  exportCohorts: 'Export',
  importCohorts: 'Import',
  brokenCohorts: 'This file does not contain cohorts.',
  openCohort: 'Open',
  rename: 'Rename',
  pickCohorts: 'Cohorts to compare',
  points: 'Points',
  median: 'Median',
  institutionsMix: 'From which institutions',
  whatIsThis: 'What is this?',
  compareCsv: 'All as CSV',
  effect: 'Effect',
  test: 'Test',
  sizeThen: (count: string, day: string) => `${count} on ${day}`,
  combinations: { union: 'Union', intersection: 'Intersection', difference: 'Difference' },
  combined: {
    union: (names: readonly string[]) => names.join(' or '),
    intersection: (names: readonly string[]) => names.join(' and '),
    difference: ([first, ...others]: readonly string[]) => `${first} without ${others.join(', ')}`,
  },
  survival: {
    title: (time: string) => `Survival by “${time}”`,
    share: 'Survival',
    cohort: 'Cohort',
    atRisk: 'At risk',
    events: 'Events',
    censored: 'Last seen',
    lower: '95 % from',
    upper: '95 % to',
    limits: (lower: string, upper: string) => `${lower} to ${upper}`,
    median: (median: string, limits: string) => `median ${median}${limits && ` (${limits})`}`,
    notReached: 'not reached',
    ofThese: (records: string, events: string) => `${records}, ${events} with the event`,
    leftOut: {
      noTime: (count: string) => `${count} without a time`,
      negativeTime: (count: string) => `${count} with a time below 0`,
      noEvent: (count: string) => `${count} of which the event is not known`,
    },
    leftOutOf: (name: string, reasons: string) => `Left out of ${name}: ${reasons}`,
    withheld: 'No survival curves: counts are ranges here.',
    nobody: 'No survival curves: no institution that was queried gives them.',
    why: 'Kaplan and Meier’s estimate: the share that is still without the event at each time, of those observed until then. A tick is a time at which records were last seen without it. The band holds the true share with 95 % certainty at each time (log-log limits from Greenwood’s variance); numbers below are those still observed.',
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
      'The log-rank test: how likely differences at least this large are by chance, if all cohorts had the same survival. All times count alike; curves that cross can differ and pass it. It compares groups, and does not say why they differ.',
    chiSquared:
      'Pearson’s chi-squared test: how likely differences at least this large are by chance, if both cohorts had the same shares. Cramér’s V says how large they are: 0 none, 0.1 small, 0.3 medium, 0.5 large. Values expected fewer than five times are taken together; records without a value are left out.',
    mannWhitney:
      'The Mann–Whitney test: how likely it is by chance that one cohort’s values stand so much higher, if both were alike. The percentage says how often a record of the first cohort has the greater value than one of the second: 50 % is no difference. Values of one interval count as equal.',
  },
  untested: {
    intervals: 'Not tested: counts are ranges.',
    overlap: 'Not tested: some records are in more than one cohort.',
    several: 'Not tested: a record can have several values.',
    tooMany: 'Not tested: more values than were fetched.',
    nothing: 'Not tested: nothing to compare.',
    two: 'Not tested: numbers of two cohorts at a time.',
  },
};

export type CohortTexts = typeof en;
