import fc from 'fast-check';

/** How many of its runs a property makes: a third, so that tests are quick, all in CI (1), or ten times as many (10). */
const share = Number(process.env['PROPERTY_RUNS'] ?? 1 / 3);

/** The number of runs that a property makes now. @param full in CI */
export const runs = (full: number): number => Math.ceil(full * share);

/** Every third of some cases, all in CI. */
export const sampled = <T>(all: readonly T[]): readonly T[] =>
  all.filter((_, at) => at % Math.ceil(1 / share) === 0);

/**
 * fast-check with one seed for every run, so that a run of the tests can be compared with the last and none fails by
 * chance. FUZZ_SEED=n is another one: to repeat a failure, or to look further (`FUZZ_SEED=$RANDOM`).
 */
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 1), numRuns: runs(100) });

export default fc;
