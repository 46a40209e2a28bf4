import test from 'ava';
import { hazardRatio } from '../../../portal/src/explore/compare/hazard-ratio.ts';
import {
  kaplanMeier,
  logRank,
  medianOf,
  type EventTime,
} from '../../../portal/src/explore/compare/kaplan-meier.ts';

// the figures are those of lifelines 0.30.0 (CoxPHFitter, KaplanMeierFitter, logrank_test) on the data sets that it comes
// with: load_waltons, miR-137 against control, and load_rossi, with financial aid against without

/** Each time with its events, and after a plus those who were last seen then. */
const tableOf = (text: string): readonly EventTime[] =>
  text.split(/\s+/).map((part) => {
    const [, time, events, censored = '0'] = /^(\d+):(\d+)(?:\+(\d+))?$/.exec(part)!;
    return { time: Number(time), events: Number(events), censored: Number(censored) };
  });

const mutants = tableOf(`6:1 9:3 13:3 15:2 19:3 22:4 26:5 29:5 33:2 36:2 43:1 47:1 62:2`);
const controls = tableOf(
  `7:1+1 17:1 32:1 33:1 38:2 41:7 45:9+1 48:8 51:3 53:7 54:2 56:18 58:4 60:15+1 61:9+2 63:9 66:3 68:9+1 69:12+1 75:1`,
);
const aided = tableOf(
  `7:1 8:3 9:2 11:1 12:2 14:1 15:2 16:1 18:1 19:1 20:4 22:1 24:2 30:1 32:1 34:2 35:3 36:3 37:2 39:1 40:1 42:2 45:1 46:3 48:1 49:3 50:2 52:0+168`,
);
const unaided = tableOf(
  `1:1 2:1 3:1 4:1 5:1 6:1 8:2 10:1 11:1 13:1 14:2 16:1 17:3 18:2 19:1 20:1 21:2 23:1 24:2 25:3 26:3 27:2 28:2 30:1 31:1 32:1 33:2 35:1 37:2 38:1 39:1 40:3 43:4 44:2 45:1 46:1 47:1 48:1 49:2 50:1 52:4+150`,
);

const near = (actual: number | undefined, expected: number): boolean =>
  Math.abs(actual! / expected - 1) < 1e-5;

test('hazard ratio, medians and log-rank of the flies of Walton are those of lifelines', (t) => {
  const { ratio, lower, upper } = hazardRatio(mutants, controls)!;
  t.true(near(ratio, 7.787619350177126));
  t.true(near(lower, 5.08998040744636));
  t.true(near(upper, 11.914980076255295));
  t.deepEqual(
    [mutants, controls].map((times) => medianOf(kaplanMeier(times)).median),
    [26, 58],
  );
  const { statistic, p } = logRank([mutants, controls])!;
  t.true(near(statistic, 122.24912557300615));
  t.true(near(p, 2.0359832222855426e-28));
});

test('hazard ratio and log-rank of the released prisoners of Rossi are those of lifelines', (t) => {
  const { ratio, lower, upper } = hazardRatio(aided, unaided)!;
  t.true(near(ratio, 0.6913776206290168));
  t.true(near(lower, 0.4766760016350831));
  t.true(near(upper, 1.0027838881483557));
  t.deepEqual(
    [aided, unaided].map((times) => medianOf(kaplanMeier(times)).median),
    [null, null],
  );
  const { statistic, p } = logRank([aided, unaided])!;
  t.true(near(statistic, 3.8375695765490505));
  t.true(near(p, 0.050116117409005755));
});

test('a cohort and its reference change places: the ratio is the inverse', (t) => {
  const [one, other] = [hazardRatio(mutants, controls)!, hazardRatio(controls, mutants)!];
  t.true(near(one.ratio * other.ratio, 1));
});

test('without an event in one of them there is no ratio', (t) => {
  t.is(hazardRatio(mutants, [{ time: 5, events: 0, censored: 9 }]), null);
  t.is(hazardRatio([], controls), null);
});
