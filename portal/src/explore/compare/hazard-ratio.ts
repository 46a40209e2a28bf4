import type { EventTime } from './kaplan-meier.ts';

/** How many times as often the event occurs in one cohort as in another, with its 95 % limits. */
export interface HazardRatio {
  readonly ratio: number;
  readonly lower: number;
  readonly upper: number;
}

/** The quantile of the normal distribution at 0.975. */
const z = 1.959963984540054;
const maxSteps = 50;
const tolerance = 1e-10;

/**
 * Cox's proportional hazards with membership of a cohort as the only covariate, ties as Efron has them (J. Am. Stat. Assoc. 72,
 * 1977), solved by Newton's method.
 * @returns null where one of them has no event, or it has no solution
 */
export const hazardRatio = (
  cohort: readonly EventTime[],
  reference: readonly EventTime[],
): HazardRatio | null => {
  const steps = stepsOf(cohort, reference);
  if ([cohort, reference].some((times) => times.every(({ events }) => events === 0))) return null;
  let beta = 0;
  for (let step = 0; step < maxSteps; step += 1) {
    const { score, information } = derivatives(steps, beta);
    if (!(information > 0)) return null;
    const change = score / information;
    beta += change;
    if (Math.abs(change) > tolerance) continue;
    const [ratio, spread] = [Math.exp(beta), z / Math.sqrt(information)];
    return { ratio, lower: Math.exp(beta - spread), upper: Math.exp(beta + spread) };
  }
  return null;
};

/** At one time: the events in the cohort and in both, and those observed until then. */
interface Step {
  readonly events: number;
  readonly all: number;
  readonly inCohort: number;
  readonly inReference: number;
}

const stepsOf = (cohort: readonly EventTime[], reference: readonly EventTime[]): readonly Step[] => {
  const [one, other] = [cohort, reference].map((times) => new Map(times.map((each) => [each.time, each])));
  const size = (times: readonly EventTime[]): number =>
    times.reduce((sum, { events, censored }) => sum + events + censored, 0);
  let [inCohort, inReference] = [size(cohort), size(reference)];
  return [...new Set([...one!.keys(), ...other!.keys()])]
    .sort((earlier, later) => earlier - later)
    .map((time) => {
      const [here, there] = [one!.get(time), other!.get(time)];
      const events = here?.events ?? 0;
      const step = { events, all: events + (there?.events ?? 0), inCohort, inReference };
      inCohort -= events + (here?.censored ?? 0);
      inReference -= (there?.events ?? 0) + (there?.censored ?? 0);
      return step;
    });
};

/** The first derivative of the logarithm of the partial likelihood, and the second with its sign changed. */
const derivatives = (steps: readonly Step[], beta: number) => {
  const hazard = Math.exp(beta);
  let [score, information] = [0, 0];
  for (const { events, all, inCohort, inReference } of steps) {
    score += events;
    for (let tied = 0; tied < all; tied += 1) {
      const left = tied / all;
      const ours = hazard * (inCohort - left * events);
      const share = ours / (ours + inReference - left * (all - events));
      score -= share;
      information += share * (1 - share);
    }
  }
  return { score, information };
};
