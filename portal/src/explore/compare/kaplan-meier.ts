import { chiSquaredTail, type Tested } from './statistics.ts';

/** What happened at one time; times ascend. */
export interface EventTime {
  readonly time: number;
  readonly events: number;
  /** How many were last seen at this time, without the event. */
  readonly censored: number;
}

export interface CurvePoint extends EventTime {
  readonly atRisk: number;
  /** The share that survives this time. */
  readonly survival: number;
  /** The 95 % limits by Greenwood's variance, on the scale of log(-log(survival)); null if none survive. */
  readonly lower: number | null;
  readonly upper: number | null;
}

/** The quantile of the normal distribution at 0.975. */
const z = 1.959963984540054;

/**
 * Kaplan and Meier's product-limit estimate (J. Am. Stat. Assoc. 53, 1958) with Greenwood's variance.
 * @returns a point for each time
 */
export const kaplanMeier = (times: readonly EventTime[]): readonly CurvePoint[] => {
  let atRisk = sum(times, ({ events, censored }) => events + censored);
  let [survival, greenwood] = [1, 0];
  return times.map((one) => {
    const before = atRisk;
    survival *= (before - one.events) / before;
    greenwood += one.events / (before * (before - one.events));
    atRisk -= one.events + one.censored;
    return { ...one, atRisk: before, survival, ...limitsOf(survival, greenwood) };
  });
};

const limitsOf = (survival: number, variance: number): Pick<CurvePoint, 'lower' | 'upper'> => {
  if (survival === 0) return { lower: null, upper: null };
  if (variance === 0) return { lower: survival, upper: survival };
  const spread = (z * Math.sqrt(variance)) / -Math.log(survival);
  return { lower: survival ** Math.exp(spread), upper: survival ** Math.exp(-spread) };
};

export interface Median {
  /** null: not reached. */
  readonly median: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
}

/** The median survival time, and the times at which its limits cross one half. */
export const medianOf = (curve: readonly CurvePoint[]): Median => ({
  median: crossing(curve, ({ survival }) => survival),
  lower: crossing(curve, ({ lower }) => lower),
  upper: crossing(curve, ({ upper }) => upper),
});

const tolerance = Math.sqrt(Number.EPSILON);

/** If a curve is level at one half, the middle of that interval. */
const crossing = (curve: readonly CurvePoint[], of: (point: CurvePoint) => number | null): number | null => {
  const heights = curve.map(of);
  const at = heights.findIndex((height) => height !== null && height < 0.5 + tolerance);
  if (at < 0) return null;
  const isLevel = Math.abs(heights[at]! - 0.5) < tolerance;
  const end = isLevel ? heights.findIndex((height) => height !== null && height < heights[at]!) : -1;
  return end < 0 ? curve[at]!.time : (curve[at]!.time + curve[end]!.time) / 2;
};

/** The height of a curve at a time; null after its end, when no record is observed any more. */
export const heightAt = (
  curve: readonly CurvePoint[],
  time: number,
): Pick<CurvePoint, 'survival' | 'lower' | 'upper'> | null =>
  time > (curve.at(-1)?.time ?? -1)
    ? null
    : (curve.findLast((point) => point.time <= time) ?? { survival: 1, lower: null, upper: null });

/** With fewer records at risk a curve says little (Pocock and others, Lancet 359, 2002). */
const leastAtRisk = 10;

/** Where the axis of curves ends: at the last time for which some have enough records at risk. */
export const endOf = (groups: readonly (readonly EventTime[])[]): number => {
  const ends = groups.map(
    (times) => times.findLast(({ time }) => atRiskAt(times, time) >= leastAtRisk)?.time ?? 0,
  );
  const end = Math.max(...ends);
  return end > 0 ? end : Math.max(1, ...groups.map((times) => times.at(-1)?.time ?? 0));
};

/** How many are observed just before a time. */
export const atRiskAt = (times: readonly EventTime[], time: number): number =>
  sum(times, (one) => (one.time < time ? 0 : one.events + one.censored));

/**
 * The log-rank test of several groups: Mantel and Haenszel's, with the variances of the hypergeometric distribution.
 * @returns null if there is nothing to compare
 */
export const logRank = (groups: readonly (readonly EventTime[])[]): Tested | null => {
  const { excess, expected, variances } = tallies(groups);
  // one group follows from the others
  const [, ...kept] = expected.flatMap((count, at) => (count > 0 ? [at] : []));
  if (kept.length === 0) return null;
  const matrix = kept.map((row) => [...kept.map((column) => variances[row]![column]!), excess[row]!]);
  const solved = solve(matrix);
  if (solved === null) return null;
  const statistic = solved.reduce((total, value, at) => total + value * excess[kept[at]!]!, 0);
  const p = chiSquaredTail(statistic, kept.length);
  return { kind: 'logRank', statistic, degrees: kept.length, p, effect: null };
};

/** The events of each group minus those expected, and their covariances, summed over all times. */
const tallies = (groups: readonly (readonly EventTime[])[]) => {
  const events = groups.map((times) => new Map(times.map((one) => [one.time, one])));
  const atRisk = groups.map((times) => sum(times, (one) => one.events + one.censored));
  const excess = groups.map(() => 0);
  const expected = groups.map(() => 0);
  const variances = groups.map(() => groups.map(() => 0));
  for (const time of [...new Set(groups.flat().map((one) => one.time))].sort((one, other) => one - other)) {
    const here = events.map((times) => times.get(time));
    const died = sum(here, (one) => one?.events ?? 0);
    const all = sum(atRisk, (count) => count);
    const spread = all > 1 ? (died * (all - died)) / (all - 1) : 0;
    atRisk.forEach((count, row) => {
      const share = count / all;
      expected[row]! += died * share;
      excess[row]! += (here[row]?.events ?? 0) - died * share;
      atRisk.forEach((other, column) => {
        variances[row]![column]! += spread * share * ((row === column ? 1 : 0) - other / all);
      });
    });
    here.forEach((one, at) => (atRisk[at]! -= (one?.events ?? 0) + (one?.censored ?? 0)));
  }
  return { excess, expected, variances };
};

/** Solves linear equations, each with its right side last, by elimination; null if there is no unique solution. */
const solve = (equations: readonly (readonly number[])[]): readonly number[] | null => {
  const rows = equations.map((row) => [...row]);
  for (const [at] of rows.entries()) {
    const best = rows.reduce(
      (most, row, index) => (index > at && Math.abs(row[at]!) > Math.abs(rows[most]![at]!) ? index : most),
      at,
    );
    [rows[at], rows[best]] = [rows[best]!, rows[at]!];
    const pivot = rows[at][at]!;
    if (!(Math.abs(pivot) > 1e-12)) return null;
    rows.forEach((row, index) => {
      const factor = index === at ? 0 : row[at]! / pivot;
      if (factor !== 0) row.forEach((_, column) => (row[column]! -= factor * rows[at]![column]!));
    });
  }
  return rows.map((row, at) => row.at(-1)! / row[at]!);
};

const sum = <One>(all: readonly One[], of: (one: One) => number): number =>
  all.reduce((total, one) => total + of(one), 0);
